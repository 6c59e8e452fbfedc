package import Foundation
package import Releases

/// One entry of the activity, as a sentence.
package struct ActivityRow: Sendable {
    let who: String
    let deed: String
    let tone: String
    let when: String
    let stamp: String
    let url: String?
    /// The day, on the first of its day's rows.
    let day: String?

    /// - Parameters:
    ///   - activity: what happened.
    ///   - app: the app's title, where it is known.
    ///   - url: where there is more about it.
    ///   - isFirstOfDay: whether the day stands above it.
    ///   - date: the present.
    package init(
        _ activity: Activity,
        app: String?,
        url: String?,
        isFirstOfDay: Bool = false,
        at date: Date,
    ) {
        who = activity.actor
        deed = activity.deed(app: app ?? activity.app)
        tone = activity.tone
        when = Wording.ago(activity.date, at: date)
        stamp = activity.date.formatted(.iso8601)
        self.url = url
        day = isFirstOfDay ? Wording.day(activity.date) : nil
    }
}
