import APIDocuments
import Access
import Administration
import GitRepositories
import HTTPTypes
import MirrorBuilds
import Mirrors

extension APIRoutes {
    static let mirrors: [APIRoute] = [
        APIRoute(ListMirrors.self), APIRoute(AddMirror.self), APIRoute(ShowMirror.self),
        APIRoute(ChangeMirror.self), APIRoute(RemoveMirror.self), APIRoute(AskForSync.self),
    ]
}

extension MirrorRefusal {
    var apiStatus: HTTPResponse.Status {
        switch self {
        case .unknown, .noRun, .noArtifact: .notFound
        case .badName, .noUser, .needsRoot, .badSetting, .badSecrets, .badCredential, .shortSecret,
            .weakHookSecret, .noVersion, .foreignApp:
            .unprocessableContent
        case .nameTaken, .tooMany, .runIsOver, .queueFull, .movedTag, .tagElsewhere, .movedAgain,
            .nothingToBuild,
            .noSandbox,
            .busy, .paused, .syncTakesLong, .notSynced, .noFolder:
            .conflict
        }
    }
}

extension GitFailure {
    /// Nil for what a client cannot help.
    var apiStatus: HTTPResponse.Status? {
        switch self {
        case .badReference, .badCommit, .unknown, .insideAddress, .insideName:
            .unprocessableContent
        default: nil
        }
    }
}
