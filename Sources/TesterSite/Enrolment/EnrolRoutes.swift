import Access
import Enrolment
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Images
import Logging
import NIOCore
import Pages
import Problems
import Releases
import SiteServices
import Store

/// Enrols devices in the register over Apple's Profile Service.
///
/// A tester opens the link or types the code, and installs the profile in Settings; the phone posts its
/// response without any cookie, and a 301 sends Safari to the page with the result.
struct EnrolRoutes: Sendable {
    let site: Site
    let enrolment: EnrolmentServices
    let references: DeviceReferences
    let progress: ProgressReader

    private var enrolling: Enrolling {
        Enrolling(site: site, enrolment: enrolment, references: references, progress: progress)
    }

    /// Answers `GET /enrol`.
    @Sendable func form(_ request: Request, _ context: RouteContext) async throws -> Response {
        try form(request, nil, status: .ok).response(to: request)
    }

    /// Answers `POST /enrol`: redeems a code and redirects to the invitation's link.
    @Sendable func typed(_ request: Request, _ context: RouteContext) async throws -> Response {
        try OwnOrigin.checkSite(request)
        let address = SignIn(site: site).address(request, context)
        let text = try await FormBody(ofStranger: request, at: address, in: site)["code"] ?? ""
        let site = site
        do {
            let token = try await site.work { try redeem(text, from: address) }
            return Self.redirect(to: site.links.invitation(token.text), .seeOther)
        } catch let refusal as InvitationRefusal {
            var response = try form(request, refusal, status: refusal.kind.status).response(
                to: request
            )
            if case .tooManyAttempts(let wait) = refusal {
                response.headers[.retryAfter] = "\(wait)"
            }
            return response
        }
    }

    private func redeem(_ text: String, from address: String) throws -> LinkToken {
        try enrolment.codes.admit(address, at: site.now)
        guard let code = InvitationCode(typed: text) else { throw InvitationRefusal.wrongCode }
        var token: LinkToken?
        try site.store.changeInvitations { register in
            var generator = SystemRandomNumberGenerator()
            token = try register.redeem(code, at: site.now, using: &generator).token
        }
        guard let token else { throw InvitationRefusal.wrongCode }
        enrolment.codes.forgive(address)
        return token
    }

    /// Answers `GET /enrol/{token}`.
    @Sendable func invitation(_ request: Request, _ context: RouteContext) async throws -> Response
    {
        let token = try token(context)
        let site = site
        let visit = TesterRequest(request, in: site, references)
        return try await refusalsAsPages(request) {
            try await site.work {
                let used = try enrolling.page(ofUsed: token, for: visit)
                if let used { return used }
                let invitation = try Self.open(token, in: site)
                return try page(of: invitation, token, for: visit)
            }.response(to: request)
        }
    }

    /// Returns the page with the link to the profile; for an invitation for many, it asks for a name.
    private func page(
        of invitation: Invitation,
        _ token: LinkToken,
        for visit: TesterRequest,
        refusing name: String? = nil,
    ) throws -> CachedResponse {
        let url = site.links.invitation(token.text)
        let page = InvitationPage(
            tester: invitation.isForMany ? nil : invitation.name,
            team: try Self.team(in: site.store),
            expires: invitation.expires,
            at: site.now,
            links: InvitationLinks(
                page: url,
                profile: url + "/profile.mobileconfig",
                code: visit.visitor.wantsCode
                    ? try QRCode(encoding: url, correction: .medium)
                        .svg(label: visit.words.text("enrol.tab")) : nil,
            ),
            refusing: name,
            suggesting: try visit.testerRight().flatMap { Self.name(typed: $0.name) },
            visitor: visit.visitor,
            chrome: visit.chrome,
        )
        return try site.pages.answer(
            page,
            status: name == nil ? .ok : .unprocessableContent,
            route: "/enrol/{token}",
        )
    }

    /// Answers `GET /enrol/{token}/profile.mobileconfig?name=`, signed with the server's certificate; the
    /// name is required if the invitation is for many.
    @Sendable func profile(_ request: Request, _ context: RouteContext) async throws -> Response {
        let token = try token(context)
        let site = site
        let words = site.pages.chrome(for: request).words
        // Parsed as a form's field: a plus is a space.
        let query = try? FormFields(urlEncoded: Array((request.uri.query ?? "").utf8))
        let typed = query?["name"]
        let visit = TesterRequest(request, in: site, references)
        return try await refusalsAsPages(request) {
            let known = try await site.work { try Self.open(token, in: site) }
            let name = known.isForMany ? Self.name(typed: typed) : nil
            guard !known.isForMany || name != nil else {
                let answer = try await site.work {
                    try page(of: known, token, for: visit, refusing: typed ?? "")
                }
                return answer.response(to: request)
            }
            let bytes = try await site.work {
                let invitation = try Self.open(token, in: site)
                var generator = SystemRandomNumberGenerator()
                var profile = EnrolmentProfile(
                    for: invitation.identifier,
                    url: site.links.invitation(token.text),
                    challenge: enrolment.challenges.challenge(
                        for: invitation,
                        named: name,
                        at: site.now,
                        using: &generator,
                    ),
                    organization: try Self.team(in: site.store) ?? site.links.base.host,
                )
                profile.displayName = words.text("payload.enrol.name")
                profile.explanation = words.text("payload.enrol.text")
                guard let signer = enrolment.certificate.signer else { return profile.unsigned() }
                return try profile.signed(by: signer, at: site.now)
            }
            var fields = ResponseFields.of(type: EnrolmentProfile.mediaType, cache: "no-store")
            fields[.contentDisposition] = "attachment; filename=\"enrolment.mobileconfig\""
            return Response(
                status: .ok,
                headers: fields,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)),
            )
        }
    }

    /// Answers `POST /enrol/{token}`, the phone's response.
    ///
    /// Errors that an honest phone can cause redirect to a page that explains them, because iOS shows
    /// nothing of a response other than 301.
    @Sendable func answer(_ request: Request, _ context: RouteContext) async throws -> Response {
        let token = try token(context)
        let site = site
        do {
            let isKnown = try await site.work { try site.store.invitations()[token] != nil }
            guard isKnown else { throw Refusal.notFound }
            // Not a known sender: the link only proves an invitation, which may have been passed on to
            // many.
            let body = try await GatheredBody.gather(
                request,
                atMost: EnrolmentAnswer.limit,
                from: site.bodies,
                of: .stranger(at: SignIn(site: site).address(request, context)),
            )
            let arrival = try await site.work { try enrolling.enrol(body.bytes, with: token) }
            return Self.redirect(to: arrival, .movedPermanently)
        } catch let refusal as EnrolmentRefusal where refusal.isInGoodFaith {
            return failed(refusal.id)
        } catch let refusal as EnrolmentRefusal {
            site.logger.notice(
                "an enrolment was refused",
                metadata: ["id": "\(refusal.id)"],
            )
            throw Refusal.badEnrolment(refusal)
        } catch let refusal as InvitationRefusal {
            guard refusal != .unknown else { throw Refusal.notFound }
            return failed(refusal.id)
        } catch DeviceRefusal.tooManyPending {
            return failed("device.too-many-pending")
        }
    }

    /// Answers `GET /enrolled/{result}`, and sets the device's cookie.
    ///
    /// The URL is valid for a short while; the browser that opened it then may open it later too.
    @Sendable func result(_ request: Request, _ context: RouteContext) async throws -> Response {
        let value = try context.text("result")
        let site = site
        let current = site.sessions.session(value, at: site.now)
        let visit = TesterRequest(request, in: site, references)
        guard let session = current ?? visit.ended(value), session.kind == .enrolment else {
            throw Refusal.notFound
        }
        if let failure = EnrolmentFailure(identifier: session.subject) {
            let page = EnrolledPage(
                .refused(failure.problem(in: visit.words)),
                device: nil,
                goingTo: nil,
                chrome: visit.chrome,
            )
            return try site.pages.answer(page, route: "/enrolled/{result}").response(to: request)
        }
        let answer = try await site.work { try enrolling.page(for: session, visit) }
        var response = answer.response(to: request)
        if current != nil {
            response.headers[.setCookie] = enrolling.cookie(for: session.subject)
        }
        return response
    }

    // MARK: Parts

    private func form(
        _ request: Request,
        _ refusal: InvitationRefusal?,
        status: HTTPResponse.Status,
    ) throws -> CachedResponse {
        let chrome = site.pages.chrome(for: request)
        let page = EnrolPage(
            actionURL: site.links.base.path + "/enrol",
            problem: refusal.map { EnrolmentFailure.problem(of: $0, in: chrome.words) },
            chrome: chrome,
        )
        return try site.pages.answer(page, status: status, route: "/enrol")
    }

    /// Redirects to the page of a failure, at a URL that contains only the failure's identifier.
    private func failed(_ identifier: String) -> Response {
        let session = Session(
            kind: .enrolment,
            subject: identifier,
            expires: site.now.addingTimeInterval(3600),
        )
        let value = session.map { site.sessions.value(of: $0) } ?? ""
        return Self.redirect(to: site.links.absolute("/enrolled/\(value)"), .movedPermanently)
    }

    func token(_ context: RouteContext) throws -> LinkToken {
        guard let token = LinkToken(try context.text("token")) else { throw Refusal.notFound }
        return token
    }

    static func open(_ token: LinkToken, in site: Site) throws -> Invitation {
        var invitation: Invitation?
        try site.store.changeInvitations { invitation = try $0.open(token, at: site.now) }
        guard let invitation else { throw InvitationRefusal.unknown }
        return invitation
    }

    /// Returns the name of the inviting team, from the newest provisioning profile.
    static func team(in store: OTAStore) throws -> String? {
        try store.profiles().byExpiry.last.map(\.teamName).flatMap { $0.isEmpty ? nil : $0 }
    }

    func refusalsAsPages(
        _ request: Request,
        _ body: () async throws -> Response,
    ) async throws -> Response {
        do {
            return try await body()
        } catch let refusal as InvitationRefusal {
            guard refusal != .unknown else { throw Refusal.notFound }
            let chrome = site.pages.chrome(for: request)
            let page = EnrolledPage(
                .refused(EnrolmentFailure.problem(of: refusal, in: chrome.words)),
                device: nil,
                goingTo: nil,
                chrome: chrome,
            )
            return try site.pages.answer(page, status: .gone, route: "/enrol/{token}")
                .response(to: request)
        }
    }

    private static func redirect(to url: String, _ status: HTTPResponse.Status) -> Response {
        var fields = ResponseFields.common
        fields[.location] = url
        fields[.cacheControl] = "no-store"
        return Response(status: status, headers: fields)
    }
}
