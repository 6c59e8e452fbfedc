import Foundation
import Store

/// The state on which a check for notices depends, so that a check that found nothing is not repeated every
/// second.
struct NoticeCalm: Sendable {
    private let stamps: [ChangeStamp]
    private let journals: [String: Int]
    private let certificate: ExpiryTimeline.ServerCertificate?
    private let date: Date

    /// Seconds after which the passing of time alone may require a notice.
    private static let longest: TimeInterval = 60

    /// - Returns: nil if the store cannot tell whether it has changed.
    init?(
        of store: OTAStore,
        serverCertificate: ExpiryTimeline.ServerCertificate?,
        at date: Date,
    ) throws(StoreFailure) {
        let stamps = try store.changeStamps(of: [
            "apps", "devices.json", "notices.json", "profiles.json", "tokens.json",
            "webhooks.json",
        ])
        guard let stamps else { return nil }
        self.stamps = stamps
        journals = try store.journals()
        certificate = serverCertificate
        self.date = date
    }

    /// Whether nothing has changed since an earlier check, which was a moment ago.
    func isStill(_ earlier: NoticeCalm) -> Bool {
        stamps == earlier.stamps && journals == earlier.journals
            && certificate == earlier.certificate
            && (0..<Self.longest).contains(date.timeIntervalSince(earlier.date))
    }
}
