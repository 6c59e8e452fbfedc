package import APIDocuments
import Notices
import Releases
import Store

extension Actions {
    static let feedback: [any PerformedAction.Type] = [ListFeedback.self, DeleteFeedback.self]
}

extension ListFeedback: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> FeedbackListDocument {
        let admin = administration.admin
        let app = try admin.app(named: app)
        return FeedbackListDocument(of: app, try admin.store.feedback(of: app.bundleIdentifier))
    }
}

extension DeleteFeedback: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> FeedbackDocument {
        let admin = administration.admin
        let app = try admin.app(named: app)
        let deleted = try admin.store.deleteFeedback(
            feedback,
            of: app.bundleIdentifier,
            by: admin.name,
            at: admin.clock(),
        )
        guard let deleted else { throw AdministrationRefusal.unknownFeedback(app.slug) }
        try admin.store.forgetNotices(ofFeedback: deleted.identifier)
        return FeedbackDocument(deleted)
    }
}
