import Foundation
import Releases

/// What became of the tester's last tap on Install, and what to do now.
struct LastTry: Sendable {
    let tone: String
    let title: String
    let message: String
    let next: String
    /// Where the guide goes on.
    let helpURL: String?

    init(_ attempt: InstallAttempt, size: Int, helpURL: String?, at date: Date) {
        let ago = Wording.ago(attempt.ended, at: date)
        self.helpURL = helpURL.map { $0 + "#when-it-does-not-install" }
        switch attempt.outcome {
        case .installed:
            tone = "good"
            title = "This device has downloaded the whole app"
            message = "The download finished \(ago). Look for the app on the home screen."
            next =
                "If its icon is missing or has vanished, iOS rejected the app after the download."
        case .manifestOnly:
            tone = "warn"
            title = "The last attempt ended before the download"
            message = "This device asked about the app \(ago) but never downloaded it."
            next =
                "Tap Install here, and Install again when iOS asks. If iOS cannot connect, this "
                + "device does not trust the server yet."
        case .cutShort:
            tone = "warn"
            title = "The last download was interrupted"
            message =
                "\(Wording.size(min(attempt.sent, size))) of \(Wording.size(size)) had arrived "
                + "when the download stopped \(ago)."
            next = "Stay on Wi-Fi, keep the device unlocked and tap Install again."
        }
    }
}
