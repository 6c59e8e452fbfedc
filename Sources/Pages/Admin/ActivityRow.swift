package import Foundation
package import Releases

/// One entry of the activity log, as a sentence.
package struct ActivityRow: Sendable {
    let who: String
    let deed: String
    let tone: String
    let when: String
    let stamp: String
    let url: String?
    /// The day, in the first row of the day.
    let day: String?

    /// - Parameters:
    ///   - activity: the activity.
    ///   - app: the app's title, if it is known.
    ///   - url: a page with details.
    ///   - isFirstOfDay: whether the row shows the day.
    ///   - date: the current time.
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
