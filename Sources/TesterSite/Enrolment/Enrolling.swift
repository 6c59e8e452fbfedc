import Access
import Bundles
import Enrolment
import Foundation
import HTTPServing
import HTTPTypes
import Identifiers
import Pages
import Releases
import SiteServices
import Store

/// Adds a device that proves its identity to the register, and recognises it later; reads and writes the
/// store.
struct Enrolling: Sendable {
    /// Seconds for which a device is remembered: a membership year.
    private static let sessionTime = Session.Kind.device.lifetime
    /// Seconds for which the URL of a result is valid.
    private static let resultTime = TimeInterval(Session.Kind.enrolment.lifetime)

    let site: Site
    let enrolment: EnrolmentServices
    let references: DeviceReferences
    let progress: ProgressReader

    /// Verifies a device's response and enrols the device; the same response sent again changes nothing.
    ///
    /// - Returns: the URL of the page with the result.
    /// - Throws: `EnrolmentRefusal`, `InvitationRefusal`, `DeviceRefusal`, `StoreFailure`.
    func enrol(_ bytes: [UInt8], with token: LinkToken) throws -> String {
        let now = site.now
        guard let known = try site.store.invitations()[token] else {
            throw InvitationRefusal.unknown
        }
        let proven = try EnrolmentAnswer(reading: bytes).verified(
            by: enrolment.challenges,
            for: known.identifier,
            anchors: enrolment.deviceAnchors,
            at: now,
        )
        var isFirst = false
        do {
            try consume(known, by: proven.udid, at: now, isFirst: &isFirst)
            try register(proven, of: known, at: now)
        } catch {
            if isFirst { giveBack(known, from: proven.udid, after: error) }
            throw error
        }
        return address(of: proven.udid, known)
    }

    /// Returns the use of an invitation, so that a tester whose device was not added can try again.
    ///
    /// If that fails, as on a full disk, the next start of the server does it.
    private func giveBack(
        _ invitation: Invitation,
        from device: DeviceUDID,
        after error: any Error,
    ) {
        do {
            guard try error is DeviceRefusal || site.store.devices()[device] == nil else { return }
            _ = try site.store.changeInvitations {
                $0.giveBack(invitation.identifier, from: device)
            }
        } catch {
            // The tester gets the first error.
        }
    }

    private func register(
        _ proven: EnrolledDevice,
        of invitation: Invitation,
        at date: Date,
    ) throws {
        let rule = try ApprovalRule(for: invitation, in: site.store)
        var told: [Activity] = []
        try site.store.changeDevices { register in
            told = []
            let former = register[proven.udid]?.state
            let entry = try register.enrol(
                Newcomer(
                    udid: proven.udid,
                    name: proven.name ?? invitation.name,
                    model: proven.product.rawValue,
                    os: proven.os,
                    invited: invitation.created,
                    by: invitation.createdBy,
                ),
                at: date,
            )
            if former != entry.state { told = [Activity(enrolmentOf: entry)] }
            defer { told += Self.join(invitation, by: entry, in: &register, at: date) }
            guard let rule, entry.state == .enrolled else { return }
            switch rule.apply(to: entry, in: &register, at: date) {
            case .left: break
            case .approved(let activity):
                // Approved at once, so no notice that the device waits is needed.
                told = [activity]
            case .refused(let activity):
                // A response that is sent again is refused again, but recorded only once.
                if !told.isEmpty { told.append(activity) }
            }
        } recording: {
            told
        }
    }

    /// Adds a device to the groups of its invitation.
    ///
    /// - Returns: the activities that record it.
    private static func join(
        _ invitation: Invitation,
        by device: Device,
        in register: inout DeviceRegister,
        at date: Date,
    ) -> [Activity] {
        register.join(
            device.udid,
            to: invitation.groups,
            with: invitation.identifier.rawValue,
            made: invitation.created,
        ).map { group in
            Activity(
                date: date,
                actor: device.name,
                event: .groupJoined,
                subject: device.name,
                detail: group.rawValue,
            )
        }
    }

    /// Uses the invitation up for a device; a second call for the same device changes nothing.
    ///
    /// `isFirst` becomes true for the first call, even if an error leaves open whether the use of the
    /// invitation was written to disk.
    private func consume(
        _ invitation: Invitation,
        by device: DeviceUDID,
        at date: Date,
        isFirst: inout Bool,
    ) throws {
        do {
            try site.store.changeInvitations { register in
                isFirst = false
                _ = try register.consume(invitation.identifier, by: device, at: date)
                isFirst = true
            }
        } catch InvitationRefusal.usedByThisDevice {
            // The same response was sent again.
        }
    }

    private func address(of device: DeviceUDID, _ invitation: Invitation) -> String {
        let session = Session(
            kind: .enrolment,
            subject: site.sessions.reference(to: device),
            generation: invitation.identifier.rawValue,
            expires: site.now.addingTimeInterval(Self.resultTime),
        )
        let value = session.map { site.sessions.value(of: $0) } ?? ""
        return site.links.absolute("/enrolled/\(value)")
    }

    /// Returns the device that a reference in a cookie or a URL stands for.
    func device(_ reference: String) throws -> Device? {
        references.device(reference, in: try site.store.devices())
    }

    /// Returns the `Set-Cookie` value that makes the device known from now on.
    func cookie(for reference: String) -> String? {
        let expires = site.now.addingTimeInterval(TimeInterval(Self.sessionTime))
        return Session(kind: .device, subject: reference, expires: expires).map {
            SiteCookie.device.setting(
                site.sessions.value(of: $0),
                for: Self.sessionTime,
                path: site.links.base.path,
            )
        }
    }

    /// Returns the page that the tester sees when Safari opens again.
    func page(for session: Session, _ visit: TesterRequest) throws -> CachedResponse {
        guard let device = try device(session.subject) else { throw Refusal.notFound }
        let identifier = InvitationIdentifier(session.generation)
        let invitation = try identifier.flatMap { try site.store.invitations()[$0] }
        return try page(of: device, invitation, for: visit, route: "/enrolled/{result}")
    }

    /// Returns the page of a used invitation's link: the state of this browser's device if it used the
    /// invitation, and otherwise a link to the app.
    ///
    /// - Returns: nil for an unused invitation, and for one that admits further devices.
    func page(ofUsed token: LinkToken, for visit: TesterRequest) throws -> CachedResponse? {
        guard let invitation = try site.store.invitations()[token], !invitation.uses.isEmpty else {
            return nil
        }
        let route = "/enrol/{token}"
        if let device = try visit.device(), invitation.use(by: device.udid) != nil {
            return try page(of: device, invitation, for: visit, route: route)
        }
        guard invitation.state(at: site.now) == .used, !invitation.isForMany else { return nil }
        let page = EnrolledPage(
            .refused(
                PageProblem(
                    id: InvitationRefusal.used.id,
                    message: visit.words.text("problem.invitation.spent"),
                    fix: visit.words.text("problem.invitation.spent.fix"),
                )
            ),
            device: nil,
            goingTo: next(to: try invitation.app.flatMap { try site.store.app($0) }, visit.words),
            chrome: visit.chrome,
        )
        return try site.pages.answer(page, status: .gone, route: route)
    }

    private func page(
        of device: Device,
        _ invitation: Invitation?,
        for visit: TesterRequest,
        route: String,
    ) throws -> CachedResponse {
        let app = try invitation?.app.flatMap { try site.store.app($0) }
        let isOutside = app?.isOpen(toMembersOf: device.groups) == false
        let outcome: EnrolledPage.Outcome =
            switch device.state {
            case .invited, .enrolled: .waiting
            case .approved, .registered: isOutside ? .outside(app: app?.title ?? "") : .approved
            case .disabled:
                .refused(PageProblem("device.disabled", in: visit.words))
            }
        let isInUse = device.state != .disabled
        let steps =
            isInUse && !isOutside
            ? try progress.progress(ofEnrolled: device, for: app).steps(in: visit.words) : nil
        let page = EnrolledPage(
            outcome,
            device: device.modelName ?? device.family.title,
            way: steps,
            goingTo: next(to: isOutside ? nil : app, visit.words, isReady: steps?.isReady == true),
            eventsURL: isInUse ? try eventsURL(of: device, for: app) : nil,
            chrome: visit.chrome,
        )
        return try site.pages.answer(page, route: route)
    }

    /// Returns the path of the event stream by which the page learns of its device's progress from now
    /// on.
    private func eventsURL(of device: Device, for app: AppRecord?) throws -> String {
        let end = try site.store.activityEnd(at: site.now)
        let work = try progress.mark(of: device)
        let query = app.map { "&for=\($0.slug)" } ?? ""
        return "\(site.links.base.path)/events?device=own\(query)&after=\(end)&work=\(work)"
    }

    /// Returns the action that opens the invitation's app, or the list of apps.
    private func next(
        to app: AppRecord?,
        _ words: Words,
        isReady: Bool = false,
    ) -> MessagePage.Action {
        guard let app else {
            return .init(title: words.text("action.apps"), url: site.links.start)
        }
        return .init(
            title: words.text(
                isReady ? "action.install" : "action.app",
                ["app": app.title],
            ),
            url: site.links.app(app.slug),
        )
    }
}
