import APIDocuments
import Access
import Administration
import Bundles
import Enrolment
import GitRepositories
import HTTPTypes
import Inspection
import Mirrors
import Notices
import Provenance
import Publishing
import Releases
import SiteServices
import Store
import Versions

/// Which status says which refusal; the only place that knows.
enum APIFailure {
    /// - Returns: nil for what is a failure of the server.
    static func status(of error: any Error) -> HTTPResponse.Status? {
        switch error {
        case let refusal as AdministrationRefusal: refusal.apiStatus
        case let refusal as DeviceRefusal: refusal.apiStatus
        case let refusal as TokenRefusal: refusal.apiStatus
        case let refusal as InvitationRefusal: refusal.apiStatus
        case let refusal as WebhookRefusal: refusal.apiStatus
        case let refusal as MirrorRefusal: refusal.apiStatus
        case ProvenanceRefusal.none: .notFound
        case is ProvenanceRefusal: .conflict
        case let failure as GitFailure: failure.apiStatus
        case is AddressFlaw, is PipelineFlaw, is TagFlaw: .unprocessableContent
        case let refusal as ReleaseRefusal:
            switch refusal {
            case .unknownApp, .unknownRelease, .unknownChannel: .notFound
            case .otherBytes, .withdrawn: .conflict
            }
        case is SlugRefusal: .conflict
        case is MalformedDeviceFile, is ProfileRefusal, is MalformedBaseURL, is PassphraseRefusal:
            .unprocessableContent
        case StoreFailure.conflict: .conflict
        default: nil
        }
    }
}

extension AdministrationRefusal {
    fileprivate var apiStatus: HTTPResponse.Status {
        switch self {
        case .unknownApp, .unknownRelease, .unknownDevice, .unknownProfile, .unknownChannel,
            .nothingOffered:
            .notFound
        case .ambiguousRelease, .noBaseURL: .conflict
        case .badScope, .noAppForScope, .badTitle, .badReason, .notesTooLong, .noPassphrase:
            .unprocessableContent
        case .changedMeanwhile: .preconditionFailed
        }
    }
}

extension DeviceRefusal {
    fileprivate var apiStatus: HTTPResponse.Status {
        switch self {
        case .unknown: .notFound
        case .badName, .badModel: .unprocessableContent
        case .alreadyThere, .noSlotLeft, .tooManyPending: .conflict
        }
    }
}

extension TokenRefusal {
    fileprivate var apiStatus: HTTPResponse.Status {
        switch self {
        case .unknown: .notFound
        case .badName, .noScope, .endsInThePast: .unprocessableContent
        case .nameTaken, .tooMany, .expired, .revoked: .conflict
        }
    }
}

extension InvitationRefusal {
    fileprivate var apiStatus: HTTPResponse.Status {
        switch self {
        case .unknown: .notFound
        case .badName, .badValidity: .unprocessableContent
        default: .conflict
        }
    }
}
