import Bytes
import Cryptography
import Foundation
import NIOHTTP1

/// The download, including interruptions.
extension InstallSimulation {
    /// The number of times that a phone resumes a download interrupted by something else.
    private static let mostRetries = 3

    mutating func download(_ archive: Archive, of offer: Offer) async -> Arrival? {
        let screen = PhoneScreen.cannotDownload(title: offer.title)
        var notes = StepNotes()
        let transfer: Download
        do throws(NetworkFailure) {
            transfer = try Download(into: phone.downloads, checking: offer.digests)
        } catch {
            notes.faults.append(Fault(error, reaching: archive.address, shown: screen))
            take(Step(.download, notes))
            return nil
        }
        var attempt = Transfer(archive: archive, screen: screen, offer: offer)
        while true {
            let next = phone.cuts.filter { $0 > transfer.received }.min()
            let end = await fetch(into: transfer, upTo: next, &attempt)
            switch end {
            case .whole:
                return arrive(transfer, attempt)
            case .cut:
                attempt.resumptions += 1
            case .moved(let status, let next):
                guard await follow(to: next, status, &attempt) else {
                    return attempt.notes.hasFailed ? arrive(transfer, attempt) : nil
                }
            case .wrongPiece:
                return arrive(transfer, attempt)
            case .failed(let failure) where failure.isInterruption && attempt.mayRetry:
                attempt.resumptions += 1
            case .failed(let failure):
                attempt.notes.faults.append(
                    failure.isInterruption
                        ? cutShort(transfer.received, of: attempt.total, shown: screen)
                        : Fault(failure, reaching: archive.address, shown: screen)
                )
                return arrive(transfer, attempt)
            case .refused(let fault):
                attempt.notes.faults.append(fault)
                return arrive(transfer, attempt)
            }
        }
    }

    /// Continues a download at another address, as most versions of iOS do.
    ///
    /// - Returns: whether the phone continues there.
    private mutating func follow(
        to next: WebAddress,
        _ status: Int,
        _ attempt: inout Transfer,
    ) async -> Bool {
        attempt.redirects += 1
        guard attempt.redirects <= Self.mostRedirects else {
            attempt.notes.faults.append(redirected(status, shown: attempt.screen))
            return false
        }
        guard next.isSecure else {
            attempt.notes.faults.append(
                .failure(
                    .archivePlain,
                    "the app's address redirects to http://, but iOS accepts only https://",
                    shown: attempt.screen,
                    fix: "Serve the app over HTTPS, also where its address redirects.",
                )
            )
            return false
        }
        if attempt.redirects == 1 {
            attempt.notes.faults.append(
                .warning(
                    .archiveRedirect,
                    "the download redirects to \(next.authority) (status \(status)); some versions "
                        + "of iOS do not follow",
                    fix: "Write the app's final address into the manifest, or answer with 200 "
                        + "directly, as `ota serve --downloads server` does.",
                )
            )
        }
        guard let isTrusted = await reach(next, or: .installer(next)) else { return false }
        attempt.archive.address = next
        attempt.archive.isTrusted = isTrusted
        return true
    }

    struct Transfer {
        var archive: Archive
        let screen: PhoneScreen
        let offer: Offer
        var notes = StepNotes()
        var resumptions = 0
        /// The number of interruptions that the phone did not cause.
        var retries = 0
        var redirects = 0
        /// From the first response.
        var total: Int?
        var validator: String?
        var hasBegun = false

        var mayRetry: Bool { retries <= InstallSimulation.mostRetries }
    }

    private enum Ending {
        case whole, cut, wrongPiece
        case moved(status: Int, to: WebAddress)
        case failed(NetworkFailure)
        case refused(Fault)
    }

    private func fetch(
        into transfer: Download,
        upTo cut: Int?,
        _ attempt: inout Transfer,
    ) async -> Ending {
        var request = installerRequest(
            to: attempt.archive.address,
            verifies: attempt.archive.isTrusted,
        )
        if transfer.received > 0 {
            if let validator = attempt.validator {
                request.fields.append(("Range", "bytes=\(transfer.received)-"))
                request.fields.append(("If-Range", validator))
            } else {
                do throws(NetworkFailure) {
                    try transfer.startOver()
                } catch {
                    return .failed(error)
                }
            }
        }
        let start = transfer.received
        let stops = phone.persistence == .stopsLikeAPhone
        var refusal: Fault?
        var moved: (status: Int, to: WebAddress)?
        var draft = attempt
        var isWrong = false
        do throws(NetworkFailure) {
            let isWhole = try await network.exchange(
                request,
                head: { head in
                    moved = redirection(head, from: draft.archive.address)
                    if moved != nil { return .enough }
                    refusal = try accept(head, from: start, into: transfer, &draft)
                    return refusal == nil ? .more : .enough
                },
                body: { bytes in
                    try transfer.take(bytes, upTo: cut ?? .max)
                    isWrong = stops && transfer.pieces?.mismatch != nil
                    return isWrong || transfer.received == cut ? .enough : .more
                },
            )
            attempt = draft
            if let moved { return .moved(status: moved.status, to: moved.to) }
            if let refusal { return .refused(refusal) }
            if isWrong { return .wrongPiece }
            return isWhole ? .whole : .cut
        } catch {
            attempt = draft
            if error.isInterruption { attempt.retries += 1 }
            return .failed(error)
        }
    }

    /// Checks the head of a response.
    ///
    /// - Returns: the fault, or nil.
    private func accept(
        _ head: HTTPResponseHead,
        from start: Int,
        into transfer: Download,
        _ attempt: inout Transfer,
    ) throws(NetworkFailure) -> Fault? {
        let length = head.headers.contentLength
        if start > 0, head.status == .partialContent {
            let range = ContentRange(head.headers.first(name: "Content-Range"))
            guard range?.bytes.lowerBound == start, range?.total == attempt.total else {
                return .failure(
                    .archiveWrongRange,
                    "for the bytes from \(start), the server's Content-Range names others",
                    shown: attempt.screen,
                    fix: "Answer ranges as in RFC 9110 section 14.",
                )
            }
            return nil
        }
        guard head.status == .ok else {
            if (300..<400).contains(head.status.code) {
                return redirected(Int(head.status.code), shown: attempt.screen)
            }
            return .failure(
                .archiveStatus,
                "the app answers with status \(head.status.code)",
                shown: attempt.screen,
                fix: Fault.fix(
                    of: Int(head.status.code),
                    or: "Make the app readable for everyone who has its URL, whatever the "
                        + "User-Agent.",
                ),
            )
        }
        if start > 0 {
            attempt.notes.faults.append(
                .warning(
                    .archiveChanged,
                    "the server did not resume at \(start) and sent the app from its start",
                    fix:
                        "Support If-Range with a strong ETag that stays the same for the same "
                        + "bytes.",
                )
            )
            try transfer.startOver()
        }
        if let coding = head.headers.first(name: "Content-Encoding"), coding != "identity" {
            return encoded(coding, shown: attempt.screen)
        }
        attempt.total = length
        attempt.validator = head.headers.validator
        guard let asked = attempt.archive.size, let length, asked != length else { return nil }
        return .failure(
            .archiveLength,
            "HEAD gives \(asked.grouped) bytes, but GET \(length.grouped)",
            shown: attempt.screen,
            fix: "Send the same Content-Length with HEAD and GET.",
        )
    }

    private func cutShort(_ received: Int, of total: Int?, shown screen: PhoneScreen) -> Fault {
        .failure(
            .archiveCutShort,
            "the connection ended after \(received.grouped) of "
                + "\(total?.grouped ?? "an unknown number of") bytes, several times in a row",
            shown: screen,
            fix:
                "Check that the file on the server is complete, and the timeouts and limits of "
                + "any proxy in front of it.",
        )
    }
}

extension NetworkFailure {
    /// Whether a phone would resume a download after it.
    fileprivate var isInterruption: Bool {
        switch self {
        case .closedEarly, .broken: true
        default: false
        }
    }
}
