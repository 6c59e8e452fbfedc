import Foundation
import Releases

/// The result of the tester's last install attempt, and what to do now.
struct LastTry: Sendable {
    let tone: String
    let title: String
    let message: String
    let next: String
    /// The section of the guide that continues.
    let helpURL: String?

    init(
        _ attempt: InstallAttempt,
        size: Int,
        helpURL: String?,
        at date: Date,
        in words: Words,
    ) {
        let ago = words.ago(attempt.ended, at: date)
        self.helpURL = helpURL.map { $0 + "#when-it-does-not-install" }
        switch attempt.outcome {
        case .downloaded:
            tone = "good"
            title = words.text("try.whole.title")
            message = words.text("try.whole.message", ["ago": ago])
            next = words.text("try.whole.next")
        case .manifestOnly:
            tone = "warn"
            title = words.text("try.manifest.title")
            message = words.text("try.manifest.message", ["ago": ago])
            next = words.text("try.manifest.next")
        case .cutShort:
            tone = "warn"
            title = words.text("try.cut.title")
            message = words.text(
                "try.cut.message",
                [
                    "sent": words.size(min(attempt.sent, size)), "size": words.size(size),
                    "ago": ago,
                ],
            )
            next = words.text("try.cut.next")
        }
    }
}
