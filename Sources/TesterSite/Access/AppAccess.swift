import Access
import Bundles
import Foundation
import Identifiers
import Releases
import SiteServices

/// A visitor's access to an app; every page, image, QR code and event stream of the app checks it.
enum AppEntry: Sendable {
    /// The visitor has access; what they have proven decides which parts of the app they see.
    case granted(ProvenVisitor)
    /// They have to enter the app's passphrase first.
    case passphrase
    /// They have to sign in through the provider first.
    case signIn
    /// Their device has to be approved first; nil if the browser has no known device.
    case enrolment(Device?)
    /// The app is hidden from them, as if it did not exist.
    case hidden
}

extension TesterRequest {
    /// Returns what the visitor has proven, as far as access to the app depends on it.
    func proof(for app: AppRecord) throws -> ProvenVisitor {
        var visitor = ProvenVisitor()
        // While the register is damaged, visitors who need no device see what everyone sees.
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

    /// Returns what the visitor has proven, for responses other than pages.
    ///
    /// - Throws: ``Refusal/notFound`` for a visitor without access, who learns only that nothing is
    ///   there.
    @discardableResult
    func enter(_ app: AppRecord) throws -> ProvenVisitor {
        guard case .granted(let visitor) = try entry(to: app) else { throw Refusal.notFound }
        return visitor
    }
}

extension AppRecord {
    /// Whether access to any part of the app depends on the device.
    fileprivate var dependsOnDevices: Bool {
        switch access {
        case .open, .passphrase, .signIn: channelGroups != nil
        case .enrolled, .groups: true
        }
    }
}
