import Bytes
import NIOHTTP1
import PropertyLists

/// Fetches and reads a manifest.
extension InstallSimulation {
    private static let longestManifest = 1 << 20

    mutating func offer(at text: String) async -> Offer? {
        guard let address = WebAddress(text) else { return nil }
        var notes = StepNotes()
        if !address.isSecure {
            notes.faults.append(
                .failure(
                    .manifestPlain,
                    "the manifest's URL is http://, but iOS accepts only https://",
                    shown: .cannotConnect(host: address.host),
                    fix: "Serve the manifest over HTTPS and link to that.",
                )
            )
            if phone.persistence == .stopsLikeAPhone {
                take(Step(.manifest, about: address.authority, notes))
                return nil
            }
        }
        guard let isTrusted = await reach(address, or: .installer(address)) else { return nil }
        let request = installerRequest(to: address, verifies: isTrusted)
        let answer: Answer
        do throws(NetworkFailure) {
            answer = try await network.fetch(request, limit: Self.longestManifest)
        } catch {
            let screen = PhoneScreen.cannotConnect(host: address.host)
            notes.faults.append(Fault(error, reaching: address, shown: screen))
            take(Step(.manifest, about: address.authority, notes))
            return nil
        }
        await judge(answer, to: request, noting: &notes)
        take(Step(.manifest, about: address.authority, notes))
        guard goesOn, answer.status == 200, !answer.isTooLarge else { return nil }
        return read(answer)
    }

    /// A request as the installer daemon sends it: without cookies, and not following redirects.
    func installerRequest(to address: WebAddress, verifies: Bool) -> Network.Request {
        Network.Request(
            address: address,
            fields: [("User-Agent", UserAgent.installer(phone.os)), ("Accept", "*/*")],
            verifies: verifies,
        )
    }

    private func judge(
        _ answer: Answer,
        to request: Network.Request,
        noting notes: inout StepNotes,
    ) async {
        let screen = PhoneScreen.cannotConnect(host: request.address.host)
        notes.facts.append(
            "status \(answer.status), \(answer.type ?? "no type"), \(answer.body.count.grouped) bytes"
        )
        if await isOpened(byCookies: request, status: answer.status) {
            notes.faults.append(
                .failure(
                    .manifestCookie,
                    "the manifest needs the page's cookies (status \(answer.status) without), but "
                        + "the phone's installer sends none",
                    shown: screen,
                    fix:
                        "Put the permission into the path itself, such as a signed token that "
                        + "expires.",
                )
            )
        } else if answer.isRedirect {
            notes.faults.append(
                .failure(
                    .manifestRedirect,
                    "the manifest's address redirects (status \(answer.status))",
                    shown: screen,
                    fix: "Link to the manifest itself; it must answer with 200 directly.",
                )
            )
        } else if answer.status != 200 {
            notes.faults.append(
                .failure(
                    .manifestStatus,
                    "the manifest answers with status \(answer.status)",
                    shown: screen,
                    fix: Fault.fix(
                        of: answer.status,
                        or: "Make the manifest readable for everyone who has its URL, whatever the "
                            + "User-Agent.",
                    ),
                )
            )
        }
        if answer.isTooLarge {
            notes.faults.append(
                .failure(
                    .manifestTooLarge,
                    "the manifest is longer than \(Self.longestManifest >> 20) MiB",
                    shown: screen,
                    fix: "Use larger pieces for the digests (sha256-size).",
                )
            )
        }
        if answer.status == 200, let fault = typeFault(answer) { notes.faults.append(fault) }
    }

    private func typeFault(_ answer: Answer) -> Fault? {
        guard !["text/xml", "application/xml"].contains(answer.type) else { return nil }
        return .warning(
            .manifestType,
            "the manifest has the content type \(answer.type ?? "none"), not text/xml",
            fix: "Serve .plist files as text/xml.",
        )
    }

    /// Whether the request would succeed with the cookies from the page.
    func isOpened(byCookies request: Network.Request, status: Int) async -> Bool {
        // A server that fails for a moment does not need cookies.
        guard status != 200, status < 500, let field = cookies.field(for: request.address) else {
            return false
        }
        var request = request
        request.fields.append(("Cookie", field))
        var answer: Int?
        _ = try? await network.exchange(
            request,
            head: { head in
                answer = Int(head.status.code)
                return .enough
            },
            body: { _ in .enough },
        )
        return answer == 200
    }

    private mutating func read(_ answer: Answer) -> Offer? {
        var notes = StepNotes()
        let manifest: PropertyList
        do throws(MalformedPropertyList) {
            manifest = try PropertyList(reading: answer.body, limits: .manifest)
        } catch {
            let isPage = answer.body.looksLikePage
            notes.faults.append(
                .failure(
                    .manifestUnreadable,
                    isPage
                        ? "the manifest is an HTML page" : "the manifest cannot be read: \(error)",
                    shown: .cannotDownload(title: nil),
                    fix: isPage
                        ? "Serve the property list itself at this URL, without a sign-in or error "
                            + "page."
                        : "Check the file with plutil -lint; names with & or < must be escaped.",
                )
            )
            take(Step(.offer, notes))
            return nil
        }
        if answer.body.starts(with: Array("bplist".utf8)) {
            notes.faults.append(
                .failure(
                    .manifestBinary,
                    "the manifest is a binary property list, but Apple documents XML",
                    shown: .cannotDownload(title: nil),
                    fix: "Convert it: plutil -convert xml1 manifest.plist.",
                )
            )
        }
        let offer = Offer(manifest, noting: &notes)
        take(Step(.offer, notes))
        return goesOn ? offer : nil
    }
}

extension [UInt8] {
    fileprivate var looksLikePage: Bool {
        let front = String(decoding: prefix(1024), as: UTF8.self).lowercased()
        return front.contains("<html") || front.contains("<!doctype html")
    }
}
