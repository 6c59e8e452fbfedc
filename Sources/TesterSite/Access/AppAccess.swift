import Access
import Bundles
import Foundation
import Identifiers
import Releases
import SiteServices

/// Whether a visitor has access to an app: every page, image, QR code and stream of it asks here.
enum AppEntry: Sendable {
    /// With their device, where it is known.
    case granted(Device?)
    /// They have to enter the passphrase first.
    case passphrase
    /// Their device has to be approved first; nil where the server knows none.
    case enrolment(Device?)
}

extension TesterRequest {
    func entry(to app: AppRecord) throws -> AppEntry {
        let device = app.access == .enrolled ? try device() : try deviceIfKnown()
        switch app.access {
        case .open:
            return .granted(device)
        case .passphrase:
            // An app without a passphrase admits no one.
            let session = session(.app(app.bundleIdentifier), .passphrase)
            if let session, let passphrase = app.passphrase,
                session.subject == app.bundleIdentifier.rawValue,
                session.generation == passphrase.generation
            {
                return .granted(device)
            }
        case .enrolled:
            if let device, device.isApproved { return .granted(device) }
        }
        if try mayRead(app.bundleIdentifier) { return .granted(device) }
        return app.access == .passphrase ? .passphrase : .enrolment(device)
    }

    /// For what is not a page: who may not come in learns no more than that nothing is there.
    ///
    /// - Throws: ``Refusal/notFound``.
    @discardableResult
    func enter(_ app: AppRecord) throws -> Device? {
        guard case .granted(let device) = try entry(to: app) else { throw Refusal.notFound }
        return device
    }
}

extension Device {
    /// Whether the team wants it.
    var isApproved: Bool {
        switch state {
        case .approved, .registered: true
        case .invited, .enrolled, .disabled: false
        }
    }
}
