import Foundation
import NIOHTTP1

/// From the page that a tester opens to the address of a manifest.
extension Journey {
    private static let longestPage = 4 << 20
    private static let mostRedirects = 5

    /// - Returns: the manifest's address, as a link or the caller named it; nil at the end.
    mutating func manifestAddress(from target: String) async -> String? {
        let text = target.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.lowercased().hasPrefix("itms-services:") { return read(link: text, facts: []) }
        guard let address = WebAddress(text) else {
            let fault = Fault.failure(
                .addressMalformed,
                "the address is not an absolute http or https URL or an itms-services link",
                shown: .safari("“Safari cannot open the page because the address is invalid”"),
                mend:
                    "Give the page's whole address, such as https://ota.example.com/apps/browsey.",
            )
            take(Step(.page, StepNotes(faults: [fault])))
            return nil
        }
        if address.fileName.lowercased().hasSuffix(".plist") { return text }
        guard let page = await page(at: address) else { return nil }
        if page.answer.body.looksLikePropertyList { return page.address.description }
        return find(in: page.answer.body)
    }

    private mutating func page(at start: WebAddress) async -> (answer: Answer, address: WebAddress)?
    {
        var address = start
        var notes = StepNotes()
        for _ in 0...Self.mostRedirects {
            guard let isTrusted = await reach(address, or: .page(address)) else { return nil }
            let answer: Answer
            do throws(NetworkFailure) {
                answer = try await network.fetch(
                    Network.Request(
                        address: address,
                        fields: [
                            ("User-Agent", phone.pageAgent ?? UserAgent.safari(phone.os)),
                            (
                                "Accept",
                                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                            ),
                        ],
                        verifies: isTrusted,
                    ),
                    limit: Self.longestPage,
                )
            } catch {
                let screen = Screens.page(address).unreachable
                notes.faults.append(Fault(error, reaching: address, shown: screen))
                take(Step(.page, about: address.authority, notes))
                return nil
            }
            cookies += answer.headers["Set-Cookie"].compactMap {
                $0.split(separator: ";").first.map(String.init)
            }
            if answer.isRedirect, let location = answer.headers.first(name: "Location") {
                notes.facts.append("status \(answer.status)")
                guard let next = address.following(location) else {
                    notes.faults.append(redirects("a redirect leads to no web address"))
                    break
                }
                address = next
                continue
            }
            judge(answer, at: address, noting: &notes)
            take(Step(.page, about: address.authority, notes))
            return goesOn ? (answer, address) : nil
        }
        if !notes.hasFailed {
            notes.faults.append(redirects("more than \(Self.mostRedirects) redirects"))
        }
        take(Step(.page, about: start.authority, notes))
        return nil
    }

    private func judge(_ answer: Answer, at address: WebAddress, noting notes: inout StepNotes) {
        notes.facts.append(
            "status \(answer.status), \(answer.type ?? "no type"), \(answer.body.count) bytes"
        )
        if answer.status != 200 {
            notes.faults.append(
                .failure(
                    .pageStatus,
                    "the page answers with status \(answer.status)",
                    shown: .safari("the server's page for status \(answer.status)"),
                    mend: "Check the address; a page behind a log-in cannot be checked.",
                )
            )
        }
        if !address.isSecure {
            notes.faults.append(
                .warning(
                    .pagePlain,
                    "the page comes over http://, so anybody in between can change its link",
                    mend: "Serve the page over HTTPS too.",
                )
            )
        }
        if answer.isTooLarge {
            notes.faults.append(
                .warning(
                    .pageTooLarge,
                    "the page is longer than \(Self.longestPage >> 20) MiB; only its beginning was read",
                    mend: "Keep the install page small: testers open it over mobile networks.",
                )
            )
        }
    }

    private func redirects(_ message: String) -> Fault {
        .failure(
            .pageRedirects,
            message,
            shown: .safari("“too many redirects occurred”"),
            mend: "Link to the page itself.",
        )
    }

    private mutating func find(in html: [UInt8]) -> String? {
        let page = InstallPage(html: html)
        guard let link = page.link else {
            let isScripted = page.origin == .scriptOnly
            let fault = Fault.failure(
                isScripted ? .linkScripted : .linkMissing,
                isScripted
                    ? "no install link was found without running the page's scripts"
                    : "there is no itms-services link in the page",
                shown: .safari(
                    isScripted
                        ? "perhaps an Install button: scripts were not run here"
                        : "a page without an Install button"
                ),
                mend: isScripted
                    ? "Pass the manifest's address or the itms-services link instead of the page's."
                    : "Link to itms-services://?action=download-manifest&url=… , or pass the manifest's address.",
            )
            take(Step(.link, StepNotes(faults: [fault])))
            return nil
        }
        switch page.origin {
        case .script: return read(link: link, facts: ["found inside a script, which was not run"])
        case .markup: return read(link: link, facts: ["found outside an href"])
        default: return read(link: link, facts: [])
        }
    }

    private mutating func read(link: String, facts: [String]) -> String? {
        do throws(ItmsServicesLink.Unreadable) {
            let manifest = try ItmsServicesLink(link).manifest
            take(Step(.link, StepNotes(facts: [manifest] + facts)))
            return manifest
        } catch {
            let fault = Fault.failure(
                .linkMalformed,
                "the install link is not usable: \(error)",
                shown: .cannotDownload(title: nil),
                mend:
                    "Write itms-services://?action=download-manifest&url= and the manifest's https address, percent-encoded whole.",
            )
            take(Step(.link, StepNotes(facts: facts, faults: [fault])))
            return nil
        }
    }
}

extension [UInt8] {
    /// Whether it begins as a manifest does, so that a page's address may also be a manifest's.
    var looksLikePropertyList: Bool {
        if starts(with: Array("bplist".utf8)) { return true }
        let front = String(decoding: prefix(512), as: UTF8.self)
        return front.contains("<!DOCTYPE plist") || front.contains("<plist")
    }
}
