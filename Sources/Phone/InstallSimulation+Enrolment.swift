import Bundles
import Bytes
import Foundation
import Identifiers
import NIOHTTP1

/// The steps from an invitation to the result page.
extension InstallSimulation {
    typealias Page = (answer: Answer, address: WebAddress)

    private static let longestAnswer = 1 << 20

    mutating func enrol(
        from target: String,
        code: String?,
        answering: (ProfileServiceRequest) throws -> [UInt8],
    ) async -> EnrolmentAttempt.Arrival? {
        guard let invitation = await invitation(at: target, code: code), goesOn,
            let link = profileLink(on: invitation),
            let download = await page(at: link, as: .profileDownload), goesOn,
            let profile = profile(download.answer.body),
            let request = request(in: profile),
            let result = await send(to: request, answering: answering),
            let arrival = await page(at: result, as: .result)
        else { return nil }
        return EnrolmentAttempt.Arrival(
            url: arrival.address.description,
            html: String(decoding: arrival.answer.body, as: UTF8.self),
        )
    }

    private mutating func invitation(at target: String, code: String?) async -> Page? {
        let text = target.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let address = pageAddress(text), let first = await page(at: address) else {
            return nil
        }
        guard let code else {
            take(Step(skipping: .code, because: "the link needs none"))
            return first
        }
        guard let action = EnrolmentMarkup(html: first.answer.body).codeForm,
            let target = action.isEmpty ? first.address : first.address.following(action)
        else {
            let fault = Fault.failure(
                .codeFormMissing,
                "the page has no form for a code",
                shown: .safari("a page without a field for the code"),
                fix: "Open the URL that came with the code.",
            )
            take(Step(.code, StepNotes(faults: [fault])))
            return nil
        }
        let encoded = code.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return await page(at: target, as: .code, sending: Array("code=\(encoded)".utf8))
    }

    private mutating func profileLink(on page: Page) -> WebAddress? {
        let link = EnrolmentMarkup(html: page.answer.body).profileLink
            .flatMap { page.address.following($0) }
        guard let link else {
            let fault = Fault.failure(
                .profileLinkMissing,
                "the page has no link to a profile",
                shown: .safari("a page without a profile to download"),
                fix: "Link to a configuration profile, with a name that ends in .mobileconfig.",
            )
            take(Step(.profileLink, StepNotes(faults: [fault])))
            return nil
        }
        take(Step(.profileLink, StepNotes()))
        return link
    }

    private mutating func profile(_ bytes: [UInt8]) -> [UInt8]? {
        var notes = StepNotes()
        defer { take(Step(.profileSignature, notes)) }
        do throws(DownloadedProfile.Invalid) {
            let profile = try DownloadedProfile(bytes, trusting: roots, at: phone.now)
            notes.facts = [profile.signature.rawValue] + [profile.detail].compactMap(\.self)
            return profile.content
        } catch {
            notes.faults.append(
                .failure(
                    .enrolmentForged,
                    error.reason,
                    shown: .settings("“Invalid Profile”"),
                    fix: "Sign the profile's bytes as they are, with the server's certificate.",
                )
            )
            return nil
        }
    }

    private mutating func request(in content: [UInt8]) -> ProfileServiceRequest? {
        var notes = StepNotes()
        let request = ProfileServiceRequest(content, noting: &notes)
        take(Step(.profileRequest, notes))
        return request
    }

    /// Posts the response to the profile's request as the profile installer does, without cookies.
    ///
    /// - Returns: the address to which Safari is redirected.
    private mutating func send(
        to request: ProfileServiceRequest,
        answering: (ProfileServiceRequest) throws -> [UInt8],
    ) async -> WebAddress? {
        guard let isTrusted = await reach(request.url, or: .settings) else { return nil }
        var notes = StepNotes()
        var next: WebAddress?
        defer { take(Step(.answer, about: request.url.authority, notes)) }
        let body: [UInt8]
        do {
            body = try answering(request)
        } catch {
            notes.faults.append(
                Self.failed(.answerUnsigned, "the device cannot sign its answer: \(error)")
            )
            return nil
        }
        do throws(NetworkFailure) {
            let answer = try await network.fetch(
                Network.Request(
                    method: .POST,
                    address: request.url,
                    fields: [
                        ("User-Agent", UserAgent.profiles),
                        ("Content-Type", "application/pkcs7-signature"),
                    ],
                    verifies: isTrusted,
                    body: body,
                ),
                limit: Self.longestAnswer,
            )
            notes.facts.append("\(body.count.grouped) bytes, status \(answer.status)")
            next = judge(answer, to: request, noting: &notes)
        } catch {
            let screen = Screens.settings.unreachable
            notes.faults.append(Fault(error, reaching: request.url, shown: screen))
        }
        return next
    }

    /// iOS requires status 301, and otherwise reports “Invalid Profile”.
    ///
    /// After a 301 no profile remains installed.
    private func judge(
        _ answer: Answer,
        to request: ProfileServiceRequest,
        noting notes: inout StepNotes,
    ) -> WebAddress? {
        if answer.headers.contains(name: "Set-Cookie") {
            notes.faults.append(
                .warning(
                    .answerCookie,
                    "the answer sets a cookie, which the profile installer discards",
                    fix: "Set it on the page that 301 leads to.",
                )
            )
        }
        guard answer.status == 301 else {
            let isRefusal = answer.status >= 400
            notes.faults.append(
                Self.failed(
                    isRefusal ? .answerRefused : .answerNotMoved,
                    isRefusal
                        ? "the server refuses the device's answer with status \(answer.status)"
                        : "the answer has status \(answer.status), but iOS accepts only 301",
                )
            )
            return nil
        }
        guard let location = answer.headers.first(name: "Location"),
            let next = request.url.following(location)
        else {
            notes.faults.append(Self.failed(.answerLocation, "301 does not lead to a web address"))
            return nil
        }
        if let udid = phone.udid, next.target.flat.contains(udid.rawValue.flat) {
            notes.faults.append(
                .warning(
                    .answerIdentifier,
                    "the URL that 301 leads to contains the device's identifier",
                    fix: "Use an opaque token instead: histories and logs keep URLs.",
                )
            )
        }
        return next
    }

    private static func failed(_ id: FaultID, _ message: String) -> Fault {
        .failure(
            id,
            message,
            shown: .settings("“Invalid Profile”"),
            fix: "Answer with 301 and the URL of a page that shows the result.",
        )
    }
}

extension String {
    /// The form for comparing identifiers: without case and hyphens.
    fileprivate var flat: String { lowercased().filter { $0 != "-" } }
}
