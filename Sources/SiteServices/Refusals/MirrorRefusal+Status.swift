package import HTTPTypes
package import Mirrors

extension MirrorRefusal {
    /// What the refusal is in HTTP.
    package var apiStatus: HTTPResponse.Status {
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
