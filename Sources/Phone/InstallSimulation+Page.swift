import Bytes
import Foundation
import NIOHTTP1

/// The steps from the page that a tester opens to the manifest's address.
extension InstallSimulation {
    private static let longestPage = 4 << 20

    /// - Returns: the manifest's address, from the link or the caller; nil when the phone stops.
    mutating func manifestAddress(from target: String) async -> String? {
        let text = target.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.lowercased().hasPrefix("itms-services:") { return read(link: text, facts: []) }
        guard let address = pageAddress(text, or: " or an itms-services link") else { return nil }
        if address.fileName.lowercased().hasSuffix(".plist") { return text }
        guard let page = await page(at: address) else { return nil }
        if page.answer.body.looksLikePropertyList { return page.address.description }
        return find(in: page.answer.body)
    }

    /// Parses the address of a page that the user typed.
    mutating func pageAddress(_ text: String, or others: String = "") -> WebAddress? {
        if let address = WebAddress(text) { return address }
        let fault = Fault.failure(
            .addressMalformed,
            "the address is not an absolute http or https URL\(others)",
            shown: .safari("“Safari cannot open the page because the address is invalid”"),
            fix: "Give the full URL of the page, such as https://ota.example.com/apps/browsey.",
        )
        take(Step(.page, StepNotes(faults: [fault])))
        return nil
    }

    /// Opens a page in Safari, with its cookies.
    ///
    /// - Parameters:
    ///   - start: the address; redirects are followed.
    ///   - name: the name of the step.
    ///   - form: the body of a POST request, of type `application/x-www-form-urlencoded`; nil for GET.
    /// - Returns: the page and its final address; nil when the phone stops.
    mutating func page(
        at start: WebAddress,
        as name: StepName = .page,
        sending form: [UInt8]? = nil,
    ) async -> (answer: Answer, address: WebAddress)? {
        var address = start
        var form = form
        var notes = StepNotes()
        for _ in 0...Self.mostRedirects {
            guard let isTrusted = await reach(address, or: .page(address)) else { return nil }
            let answer: Answer
            do throws(NetworkFailure) {
                answer = try await network.fetch(
                    pageRequest(to: address, sending: form, verifies: isTrusted),
                    limit: Self.longestPage,
                )
            } catch {
                let screen = Screens.page(address).unreachable
                notes.faults.append(Fault(error, reaching: address, shown: screen))
                take(Step(name, about: address.authority, notes))
                return nil
            }
            for field in answer.headers["Set-Cookie"] { cookies.take(field, from: address) }
            if answer.isRedirect, let location = answer.headers.first(name: "Location") {
                notes.facts.append("status \(answer.status)")
                guard let next = address.following(location) else {
                    notes.faults.append(redirects("a redirect does not lead to a web address"))
                    break
                }
                address = next
                form = nil
                continue
            }
            judge(answer, at: address, as: name, noting: &notes)
            take(Step(name, about: address.authority, notes))
            return goesOn ? (answer, address) : nil
        }
        if !notes.hasFailed {
            notes.faults.append(redirects("more than \(Self.mostRedirects) redirects"))
        }
        take(Step(name, about: start.authority, notes))
        return nil
    }

    private func pageRequest(
        to address: WebAddress,
        sending form: [UInt8]?,
        verifies: Bool,
    ) -> Network.Request {
        var request = Network.Request(
            address: address,
            fields: [
                ("User-Agent", phone.pageAgent ?? UserAgent.safari(phone.os)),
                ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
            ],
            verifies: verifies,
        )
        if let cookies = cookies.field(for: address) { request.fields.append(("Cookie", cookies)) }
        if let form {
            request.method = .POST
            request.fields.append(("Content-Type", "application/x-www-form-urlencoded"))
            request.body = form
        }
        return request
    }

    private func judge(
        _ answer: Answer,
        at address: WebAddress,
        as name: StepName,
        noting notes: inout StepNotes,
    ) {
        notes.facts.append(
            "status \(answer.status), \(answer.type ?? "no type"), \(answer.body.count.grouped) bytes"
        )
        if answer.status != 200 { notes.faults.append(refused(answer.status, name)) }
        if name == .profileDownload, answer.type != "application/x-apple-aspen-config" {
            notes.faults.append(
                .failure(
                    .enrolmentType,
                    "the profile has the content type \(answer.type ?? "none"), not "
                        + "application/x-apple-aspen-config",
                    shown: .safari("the profile as text, or a file to download"),
                    fix: "Serve .mobileconfig files as application/x-apple-aspen-config.",
                )
            )
        }
        if !address.isSecure {
            notes.faults.append(
                .warning(
                    .pagePlain,
                    "the page is served over http://, so others on the network can change its link",
                    fix: "Serve the page over HTTPS too.",
                )
            )
        }
        if answer.isTooLarge {
            notes.faults.append(
                .warning(
                    .pageTooLarge,
                    "the page is longer than \(Self.longestPage >> 20) MiB; only its beginning "
                        + "was read",
                    fix: "Keep the install page small: testers open it over mobile networks.",
                )
            )
        }
    }

    private func refused(_ status: Int, _ name: StepName) -> Fault {
        let screen = PhoneScreen.safari("the server's page for status \(status)")
        return switch name {
        case .code:
            .failure(
                .codeRefused,
                "the server refuses the code with status \(status)",
                shown: screen,
                fix: Fault.fix(
                    of: status,
                    or: "Enter the six-digit code of an open invitation before it expires; it "
                        + "works once.",
                ),
            )
        case .profileDownload:
            .failure(
                .enrolmentStatus,
                "the profile answers with status \(status)",
                shown: screen,
                fix: Fault.fix(
                    of: status,
                    or: "Ask for a new invitation if this one was used or has expired.",
                ),
            )
        default:
            .failure(
                .pageStatus,
                "the page answers with status \(status)",
                shown: screen,
                fix: Fault.fix(
                    of: status,
                    or: "Check the URL; `ota doctor` cannot open pages behind a sign-in.",
                ),
            )
        }
    }

    private func redirects(_ message: String) -> Fault {
        .failure(
            .pageRedirects,
            message,
            shown: .safari("“too many redirects occurred”"),
            fix: "Link to the page itself.",
        )
    }

    private mutating func find(in html: [UInt8]) -> String? {
        let page = InstallPageMarkup(html: html)
        guard let link = page.link else {
            let isScripted = page.origin == .scriptOnly
            let fault = Fault.failure(
                isScripted ? .linkScripted : .linkMissing,
                isScripted
                    ? "no install link was found without running the page's scripts"
                    : "the page has no itms-services link",
                shown: .safari(
                    isScripted
                        ? "perhaps an Install button: scripts were not run here"
                        : "a page without an Install button"
                ),
                fix: isScripted
                    ? "Give the URL of the manifest or the itms-services link instead of the page."
                    : "Link to itms-services://?action=download-manifest&url=… , or give the URL "
                        + "of the manifest.",
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
                fix:
                    "Write itms-services://?action=download-manifest&url= and the manifest's "
                    + "https address, percent-encoded whole.",
            )
            take(Step(.link, StepNotes(facts: facts, faults: [fault])))
            return nil
        }
    }
}

extension [UInt8] {
    /// Whether the bytes begin like a manifest, so that a page's address may also be that of a manifest.
    var looksLikePropertyList: Bool {
        if starts(with: Array("bplist".utf8)) { return true }
        let front = String(decoding: prefix(512), as: UTF8.self)
        return front.contains("<!DOCTYPE plist") || front.contains("<plist")
    }
}
