import Access
import Bundles
import Enrolment
import Foundation
import Pages
import Releases
import Store

/// Takes a device that proves itself into the register, and knows it again later; reads and writes
/// the store.
struct Enrolling: Sendable {
    /// Seconds that a device stays known: a membership year.
    private static let sessionTime = 365 * 86_400
    /// Seconds that the address of a result can be opened.
    private static let resultTime: TimeInterval = 3600

    let site: Site

    /// Believes an answer or does not; the same answer sent again changes nothing.
    ///
    /// - Returns: the address of the page that says what became of it.
    /// - Throws: `EnrolmentRefusal`, `InvitationRefusal`, `DeviceRefusal`.
    func enrol(_ bytes: [UInt8], with token: LinkToken) throws -> String {
        let now = site.now
        let digest = token.digest
        let known = try site.store.invitations().invitations.first { $0.tokens.contains(digest) }
        guard let known else { throw InvitationRefusal.unknown }
        let proven = try EnrolmentAnswer(reading: bytes).verified(
            by: site.challenges,
            for: known.identifier,
            anchors: site.deviceAnchors,
            at: now,
        )
        try consume(known, by: proven.udid, at: now)
        var device: Device?
        var isNew = false
        try site.store.changeDevices { register in
            let before = register[proven.udid]?.state
            let entry = try register.enrol(
                Newcomer(
                    udid: proven.udid,
                    name: known.name,
                    model: proven.product.rawValue,
                    os: proven.os,
                    invited: known.created,
                    by: known.createdBy,
                ),
                at: now,
            )
            device = entry
            isNew = before != entry.state
        }
        if isNew, let device {
            try site.store.record(
                Activity(
                    date: now,
                    actor: known.name,
                    event: .deviceEnrolled,
                    subject: device.name,
                    detail: proven.model.name,
                )
            )
        }
        return address(of: proven.udid, known)
    }

    /// The first of two calls for one device uses the invitation up; the second finds that it did.
    private func consume(
        _ invitation: Invitation,
        by device: DeviceUDID,
        at date: Date,
    ) throws {
        do {
            try site.store.changeInvitations { register in
                _ = try register.consume(invitation.identifier, by: device, at: date)
            }
        } catch InvitationRefusal.usedByThisDevice {
            return
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

    /// The device that a reference in a cookie or an address stands for.
    func device(_ reference: String) throws -> Device? {
        site.references.device(reference, in: try site.store.devices())
    }

    /// The field that lets the device be known from now on.
    func cookie(for reference: String) -> String? {
        let expires = site.now.addingTimeInterval(TimeInterval(Self.sessionTime))
        return Session(kind: .device, subject: reference, expires: expires).map {
            Cookie.device.setting(
                site.sessions.value(of: $0),
                for: Self.sessionTime,
                path: site.links.base.path,
            )
        }
    }

    /// What the tester sees when Safari comes back.
    func page(for session: Session) throws -> StoredAnswer {
        guard let device = try device(session.subject), device.state != .disabled else {
            throw Refusal.notFound
        }
        let page = EnrolledPage(
            device.state == .enrolled ? .waiting : .approved,
            device: device.modelName ?? device.family.title,
            goingTo: try next(for: session.generation),
            chrome: site.pages.chrome,
        )
        return try site.pages.answer(page, route: "/enrolled/{result}")
    }

    /// The page of the app that the invitation was for, or the list of apps.
    private func next(for invitation: String) throws -> MessagePage.Action {
        let identifier = InvitationIdentifier(invitation)
        let app = try identifier.flatMap { try site.store.invitations()[$0]?.app }
            .flatMap { try site.store.app($0) }
        guard let app else { return .init(title: "See the apps", url: site.links.start) }
        return .init(title: "Go to \(app.title)", url: site.links.app(app.slug))
    }
}
