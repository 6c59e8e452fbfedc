import Bytes
import NIOCore
import NIOHTTP1

/// The installer's requests about an app before the download.
extension InstallSimulation {
    /// The server's information about the app.
    struct Archive {
        var address: WebAddress
        var isTrusted: Bool
        var size: Int?
        /// The validator by which a resumed part belongs to the first one; nil when the server sends
        /// none.
        var validator: String?
    }

    /// The most redirects that are followed for one page or file.
    static let mostRedirects = 5

    private static let acceptedTypes = [
        "application/octet-stream", "binary/octet-stream", "application/x-itunes-ipa",
        "application/x-ios-app", "application/iphone", "application/zip",
        "application/vnd.iphone",
    ]

    /// Sends a HEAD request, as the installer does first.
    mutating func askForSize(of offer: Offer) async -> Archive? {
        guard var address = offer.archive else { return nil }
        let screen = PhoneScreen.cannotDownload(title: offer.title)
        var notes = StepNotes()
        for _ in 0...Self.mostRedirects {
            guard let isTrusted = await reach(address, or: .installer(address)) else { return nil }
            var request = installerRequest(to: address, verifies: isTrusted)
            request.method = .HEAD
            let answer: Answer
            do throws(NetworkFailure) {
                answer = try await network.fetch(request, limit: 0)
            } catch {
                let unreachable = PhoneScreen.cannotConnect(host: address.host)
                notes.faults.append(Fault(error, reaching: address, shown: unreachable))
                take(Step(.archive, about: address.authority, notes))
                return nil
            }
            let isOpenedByCookies = await isOpened(byCookies: request, status: answer.status)
            if answer.isRedirect, !isOpenedByCookies,
                let location = answer.headers.first(name: "Location")
            {
                notes.faults.append(redirected(answer.status, shown: screen))
                guard phone.persistence == .reportsEverything,
                    let next = address.following(location)
                else { break }
                address = next
                continue
            }
            if isOpenedByCookies {
                notes.faults.append(needsCookies(answer.status, shown: screen))
            } else {
                judge(answer, noting: &notes, shown: screen)
            }
            take(Step(.archive, about: address.authority, notes))
            guard goesOn else { return nil }
            let isFine = answer.status == 200
            return Archive(
                address: address,
                isTrusted: isTrusted,
                size: isFine ? answer.headers.contentLength : nil,
                validator: isFine ? answer.headers.validator : nil,
            )
        }
        take(Step(.archive, about: address.authority, notes))
        return nil
    }

    /// Where a response redirects to; nil for other responses.
    func redirection(
        _ head: HTTPResponseHead,
        from address: WebAddress,
    ) -> (status: Int, to: WebAddress)? {
        guard (300..<400).contains(head.status.code),
            let location = head.headers.first(name: "Location"),
            let next = address.following(location)
        else { return nil }
        return (Int(head.status.code), next)
    }

    func redirected(_ status: Int, shown screen: PhoneScreen) -> Fault {
        .failure(
            .archiveRedirect,
            "the app's address redirects (status \(status)); some versions of iOS do not follow",
            shown: screen,
            fix: "Write the app's final address into the manifest, or answer with 200 directly.",
        )
    }

    private func judge(
        _ answer: Answer,
        noting notes: inout StepNotes,
        shown screen: PhoneScreen,
    ) {
        notes.facts.append("HEAD: status \(answer.status), \(answer.type ?? "no type")")
        guard answer.status == 200 else {
            notes.faults.append(
                .failure(
                    .archiveHead,
                    "the server answers HEAD for the app with status \(answer.status), but iOS "
                        + "sends HEAD before it downloads",
                    shown: screen,
                    fix: Fault.fix(
                        of: answer.status,
                        or: "Allow HEAD; an address signed for GET only (S3) refuses it.",
                    ),
                )
            )
            return
        }
        if let size = answer.headers.contentLength {
            notes.facts.append("\(size.grouped) bytes")
        } else {
            notes.faults.append(
                .warning(
                    .archiveLength,
                    "HEAD returns no Content-Length, so the phone shows no progress",
                    fix: "Send Content-Length with HEAD and GET.",
                )
            )
        }
        if !Self.acceptedTypes.contains(answer.type ?? "") {
            notes.faults.append(
                .warning(
                    .archiveType,
                    "the app has the content type \(answer.type ?? "none"), not "
                        + "application/octet-stream",
                    fix: "Serve .ipa files as application/octet-stream.",
                )
            )
        }
        if let coding = answer.headers.first(name: "Content-Encoding"), coding != "identity" {
            notes.faults.append(encoded(coding, shown: screen))
        }
        if answer.headers.validator == nil {
            notes.faults.append(
                .warning(
                    .archiveNoTag,
                    "the app has no strong ETag and no Last-Modified, so an interrupted download "
                        + "starts again",
                    fix: "Send an ETag.",
                )
            )
        }
    }

    private func needsCookies(_ status: Int, shown screen: PhoneScreen) -> Fault {
        .failure(
            .archiveCookie,
            "the app needs the page's cookies (status \(status) without), but the phone's "
                + "installer sends none",
            shown: screen,
            fix: "Put the permission into the path itself, such as a signed token that expires.",
        )
    }

    func encoded(_ coding: String, shown screen: PhoneScreen) -> Fault {
        .failure(
            .archiveEncoded,
            "the app is sent with Content-Encoding \(coding), which the phone did not request",
            shown: screen,
            fix: "Turn off compression for .ipa files.",
        )
    }

    /// Requests the first byte, as for a resumed download.
    mutating func askForPart(of archive: Archive, title: String?) async {
        var archive = archive
        var notes = StepNotes()
        var head = HTTPResponseHead(version: .http1_1, status: .ok)
        var count = 0
        for _ in 0...Self.mostRedirects {
            var request = installerRequest(to: archive.address, verifies: archive.isTrusted)
            request.fields.append(("Range", "bytes=0-0"))
            do throws(NetworkFailure) {
                try await network.exchange(
                    request,
                    head: {
                        head = $0
                        return $0.status == .partialContent ? .more : .enough
                    },
                    body: { bytes in
                        count += bytes.readableBytes
                        return count > 1 ? .enough : .more
                    },
                )
            } catch {
                let screen = PhoneScreen.cannotDownload(title: title)
                notes.faults.append(Fault(error, reaching: archive.address, shown: screen))
                take(Step(.ranges, notes))
                return
            }
            // The download, which follows, reports the redirect.
            guard let next = redirection(head, from: archive.address)?.to, next.isSecure else {
                break
            }
            guard let isTrusted = await reach(next, or: .installer(next)) else { return }
            archive.address = next
            archive.isTrusted = isTrusted
        }
        let range = head.headers.first(name: "Content-Range")
        notes.facts.append("status \(head.status.code), \(range ?? "no Content-Range")")
        if head.status != .partialContent {
            notes.faults.append(
                .warning(
                    .archiveNoRanges,
                    "the server does not send parts of the app (status \(head.status.code)), so "
                        + "an interrupted download starts again",
                    fix: Fault.fix(
                        of: Int(head.status.code),
                        or: "Support single byte ranges (RFC 9110 section 14).",
                    ),
                )
            )
        } else if let fault = wrongRange(ContentRange(range), count: count, of: archive, title) {
            notes.faults.append(fault)
        }
        take(Step(.ranges, notes))
    }

    private func wrongRange(
        _ range: ContentRange?,
        count: Int,
        of archive: Archive,
        _ title: String?,
    ) -> Fault? {
        let problem: String
        if range?.bytes != 0...0 {
            problem = "for byte 0 its Content-Range names other bytes"
        } else if let total = range?.total, let size = archive.size, total != size {
            problem =
                "its Content-Range gives \(total.grouped) bytes in total, but HEAD \(size.grouped)"
        } else if count != 1 {
            problem = "for one byte it sends more or none"
        } else {
            return nil
        }
        return .failure(
            .archiveWrongRange,
            "the server's ranges are wrong: \(problem)",
            shown: .cannotDownload(title: title),
            fix: "Answer ranges as in RFC 9110 section 14, or not at all.",
        )
    }
}

/// A content range, `bytes 0-0/1234` (RFC 9110 section 14.4).
struct ContentRange: Equatable {
    let bytes: ClosedRange<Int>
    /// Nil when the server does not state it.
    let total: Int?

    init?(_ text: String?) {
        guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        let ends = (parts.first ?? "").split(separator: "-").compactMap { Int($0) }
        guard parts.count == 2, ends.count == 2, ends[0] <= ends[1] else { return nil }
        bytes = ends[0]...ends[1]
        total = Int(parts[1])
        if total == nil, parts[1] != "*" { return nil }
    }
}

extension HTTPHeaders {
    /// A strong ETag, or else the modification date, as If-Range allows (RFC 9110 section 13.1.5).
    var validator: String? {
        if let tag = first(name: "ETag"), !tag.hasPrefix("W/") { return tag }
        return first(name: "Last-Modified")
    }
}
