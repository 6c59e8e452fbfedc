import Access
import Bytes
import Cryptography
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Pages
import Releases
import SiteServices
import Store

/// The form in which a tester reports a problem with a build.
struct FeedbackRoutes: Sendable {
    /// Bytes of the longest text with every byte percent-encoded, and of the form's other fields.
    private static let formSize = 9 * Feedback.longestText + 1_024
    /// Seconds for which the build that a device downloaded last counts as installed.
    private static let memory: TimeInterval = 366 * 86_400

    let site: Site
    let references: DeviceReferences
    let limits: SharedGuesses

    private struct Subject {
        let app: AppRecord
        /// The build whose page linked to the form.
        let shown: Release
        /// The build that the tester has.
        let release: ReleaseIdentifier
        let sender: Feedback.Sender
        /// The device's reference.
        let device: String?
    }

    /// Answers `GET /apps/{slug}/{release}/feedback`.
    @Sendable func form(_ request: Request, _ context: RouteContext) async throws -> Response {
        let place = try Self.place(context)
        let isSent = request.uri.queryParameters["sent"] != nil
        let site = site
        let visit = try await TesterRequest(request, in: site, references).confirmed()
        return try await site.work {
            let subject = try self.subject(place, visit)
            guard isSent else { return try self.page(subject, visit) }
            let page = MessagePage(
                title: visit.words.text("feedback.thanks.title"),
                message: visit.words.text("feedback.thanks"),
                action: MessagePage.Action(
                    title: visit.words.text("action.app", ["app": subject.app.title]),
                    url: site.links.app(subject.app.slug),
                ),
                chrome: visit.chrome,
            )
            return try site.pages.answer(page, route: Self.route)
        }.response(to: request)
    }

    /// Answers `POST /apps/{slug}/{release}/feedback`.
    @Sendable func send(_ request: Request, _ context: RouteContext) async throws -> Response {
        try OwnOrigin.checkSite(request)
        let place = try Self.place(context)
        let site = site
        let visit = try await TesterRequest(request, in: site, references).confirmed()
        let stranger = StrangerForm(site: site)
        let session = try stranger.session(of: visit)
        let address = SignIn(site: site).address(request, context)
        // Checked before the body is read, so that visitors who may not see the build cannot send one.
        let subject = try await site.work { try self.subject(place, visit) }
        let form = try await FormBody(
            ofStranger: request,
            at: address,
            in: site,
            atMost: Self.formSize,
        )
        try stranger.check(form, of: session)
        let raw = form["text"] ?? ""
        let refused = try await site.work {
            try self.keep(raw, subject, by: session, from: address, visit)
        }
        if let refused { return refused.response(to: request) }
        var fields = ResponseFields.common
        fields[.location] =
            site.links.feedback(about: subject.shown.identifier, of: subject.app.slug) + "?sent=1"
        fields[.cacheControl] = "no-store"
        return Response(status: .seeOther, headers: fields)
    }

    // MARK: Parts

    private static let route = "/apps/{slug}/{release}/feedback"

    private static func place(
        _ context: RouteContext
    ) throws(Refusal) -> (slug: Slug, release: ReleaseIdentifier) {
        guard let slug = Slug(try context.text("slug")),
            let release = ReleaseIdentifier(try context.text("release"))
        else { throw .notFound }
        return (slug, release)
    }

    /// Returns the app and the build that the form is about.
    ///
    /// - Throws: ``Refusal/notFound`` for a visitor who may not see the build, and if the app does not
    ///   take feedback by this form.
    private func subject(
        _ place: (slug: Slug, release: ReleaseIdentifier),
        _ visit: TesterRequest,
    ) throws -> Subject {
        guard let app = try site.store.app(slug: place.slug), app.feedback == .form else {
            throw Refusal.notFound
        }
        let visitor = try visit.enter(app)
        guard let shown = try site.store.release(place.release, of: app.bundleIdentifier),
            app.admits(visitor, to: shown)
        else { throw Refusal.notFound }
        let device = try visit.deviceIfKnown()
        let reference = device.map { site.sessions.reference(to: $0.udid) }
        return Subject(
            app: app,
            shown: shown,
            release: try reference.flatMap { try installed($0, app) } ?? shown.identifier,
            sender: Feedback.Sender(
                person: visitor.tester.map { DeviceUDID.masked(in: $0.name) },
                name: device.map { DeviceUDID.masked(in: $0.name) },
                model: device?.modelName,
                os: (visit.seenOS ?? device?.os)?.description,
            ),
            device: reference,
        )
    }

    /// Returns the last release that a device downloaded completely.
    private func installed(_ device: String, _ app: AppRecord) throws -> ReleaseIdentifier? {
        try site.store.unlessDamaged {
            try site.store.installAttempts(
                of: app.bundleIdentifier,
                since: site.now.addingTimeInterval(-Self.memory),
            ).last { $0.device == device && $0.outcome == .downloaded }?.release
        }
    }

    private func page(
        _ subject: Subject,
        _ visit: TesterRequest,
        text: String = "",
        _ problem: (id: String, status: HTTPResponse.Status)? = nil,
    ) throws -> CachedResponse {
        let form = try StrangerForm(site: site).begin(for: visit)
        let page = FeedbackPage(
            title: subject.app.title,
            release: subject.release,
            sender: subject.sender,
            formCode: form.code,
            text: text,
            problem: problem.map { PageProblem($0.id, in: visit.words) },
            backURL: site.links.release(subject.shown.identifier, of: subject.app.slug),
            chrome: visit.chrome,
        )
        return try site.pages.answer(
            page,
            status: problem?.status ?? .ok,
            cookie: form.cookie,
            route: Self.route,
        )
    }

    /// Stores the text.
    ///
    /// - Returns: the form again, with the reason, if the text was refused; nil if it was stored.
    private func keep(
        _ raw: String,
        _ subject: Subject,
        by session: Session,
        from address: String,
        _ visit: TesterRequest,
    ) throws -> CachedResponse? {
        let text = Feedback.text(of: raw)
        guard PrintableText.isVisible(text) else {
            return try page(subject, visit, ("feedback.empty", .unprocessableContent))
        }
        guard text.utf16.count <= Feedback.longestText else {
            return try page(subject, visit, text: text, ("feedback.long", .unprocessableContent))
        }
        let app = subject.app.bundleIdentifier
        let many = ("feedback.many", HTTPResponse.Status.tooManyRequests)
        guard try limits.admit(to: "feedback-\(app)", from: address, at: site.now) == nil else {
            return try page(subject, visit, text: text, many)
        }
        // The same text from one browser is a second tap on the button; others may write the same text.
        let said = "\(session.subject)\n\(subject.release)\n\(text)"
        let feedback = Feedback(
            identifier: subject.device == nil
                ? Hex.encode(SHA256Digest(of: Array(said.utf8)).bytes.prefix(8))
                : Hex.encode(randomBytes(8)),
            date: Date(timeIntervalSince1970: site.now.timeIntervalSince1970.rounded(.down)),
            text: text,
            release: subject.release,
            sender: subject.sender,
            device: subject.device,
        )
        guard try site.store.add(feedback, of: app) else {
            return try page(subject, visit, text: text, many)
        }
        return nil
    }
}
