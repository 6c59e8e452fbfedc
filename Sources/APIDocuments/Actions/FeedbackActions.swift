import Access

/// Lists an app's feedback, newest first.
package struct ListFeedback: Action {
    package typealias Answer = FeedbackListDocument
    package static let route = ActionRoute(.get, "/apps/{app}/feedback", .onApp(.admin))

    package let app: String

    package init(of app: String) {
        self.app = app
    }
}

/// Deletes feedback permanently.
package struct DeleteFeedback: Action {
    package typealias Answer = FeedbackDocument
    package static let route = ActionRoute(
        .delete,
        "/apps/{app}/feedback/{feedback}",
        .onApp(.admin),
    )

    package let app: String
    /// 16 hexadecimal digits.
    package let feedback: String

    package init(_ feedback: String, of app: String) {
        self.app = app
        self.feedback = feedback
    }
}
