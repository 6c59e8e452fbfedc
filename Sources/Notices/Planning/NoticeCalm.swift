import Foundation
import Store

/// What a look for notices depends on, so that one that found nothing is not repeated each second.
struct NoticeCalm: Sendable {
    private let stamps: [ChangeStamp]
    private let journals: [String: Int]
    private let certificate: ExpiryTimeline.ServerCertificate?
    private let date: Date

    /// Seconds after which time alone may call for a notice.
    private static let longest: TimeInterval = 60

    /// - Returns: nil if the store cannot say whether it has changed.
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

    /// Whether everything is as it was at an earlier look, which was a moment ago.
    func isStill(_ earlier: NoticeCalm) -> Bool {
        stamps == earlier.stamps && journals == earlier.journals
            && certificate == earlier.certificate
            && (0..<Self.longest).contains(date.timeIntervalSince(earlier.date))
    }
}
