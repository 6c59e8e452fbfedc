import Access
import Bundles
import Foundation
import Identifiers
import Releases
import SiteServices

/// Whether a visitor has access to an app: every page, image, QR code and stream of it asks here.
enum AppEntry: Sendable {
    /// With what they have proven, which decides what they see of it.
    case granted(ProvenVisitor)
    /// They have to enter the passphrase first.
    case passphrase
    /// They have to sign in at the provider first.
    case signIn
    /// Their device has to be approved first; nil where the server knows none.
    case enrolment(Device?)
    /// There is nothing for them, as if there were no app.
    case hidden
}

extension TesterRequest {
    /// What the visitor has proven, as far as access to an app depends on it.
    func proof(for app: AppRecord) throws -> ProvenVisitor {
        var visitor = ProvenVisitor()
        // Who may come in without a device is shown what everyone is while the register is damaged.
        visitor.device = try app.dependsOnDevices ? device() : deviceIfKnown()
        let session = session(.app(app.bundleIdentifier), .passphrase)
        if let session, session.subject == app.bundleIdentifier.rawValue {
            visitor.passphrase = .entered(generation: session.generation)
        }
        visitor.tester = try testerRight()
        guard !app.admitsToAll(visitor) else { return visitor }
        visitor.mayRead = try mayRead(app.bundleIdentifier)
        return visitor
    }

    func entry(to app: AppRecord) throws -> AppEntry {
        let visitor = try proof(for: app)
        return switch app.standing(of: visitor) {
        case .granted: .granted(visitor)
        case .passphrase: .passphrase
        case .signIn: .signIn
        case .enrolment: .enrolment(visitor.device)
        case .hidden: .hidden
        }
    }

    /// For what is not a page: who may not come in learns no more than that nothing is there.
    ///
    /// - Throws: ``Refusal/notFound``.
    @discardableResult
    func enter(_ app: AppRecord) throws -> ProvenVisitor {
        guard case .granted(let visitor) = try entry(to: app) else { throw Refusal.notFound }
        return visitor
    }
}

extension AppRecord {
    /// Whether any access to the app is judged by the device.
    fileprivate var dependsOnDevices: Bool {
        switch access {
        case .open, .passphrase, .signIn: channelGroups != nil
        case .enrolled, .groups: true
        }
    }
}
