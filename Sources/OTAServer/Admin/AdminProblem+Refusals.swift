import Access
import Administration
import Enrolment
import HTTPTypes
import Notices
import Releases
import Store

extension AdminProblem {
    /// What the registers refuse, as a page says it; nil for failures that are nobody's fault who
    /// sits in front of it.
    init?(_ error: any Error) {
        switch error {
        case let problem as AdminProblem:
            self = problem
        case let refusal as DeviceRefusal:
            self.init(refusal == .unknown ? .notFound : .conflict, Self.sentence(refusal))
        case let refusal as TokenRefusal:
            self.init(refusal == .unknown ? .notFound : .conflict, Self.sentence(refusal))
        case let refusal as ReleaseRefusal:
            self.init(.conflict, Self.sentence(refusal))
        case let refusal as AdministrationRefusal:
            self.init(Self.status(refusal), Self.sentence(refusal), mend: Self.mend(refusal))
        case let refusal as SlugRefusal:
            self.init(.conflict, Self.sentence(refusal))
        case let refusal as PassphraseRefusal:
            self.init(.unprocessableContent, Self.sentence(refusal))
        case let malformed as MalformedDeviceFile:
            self.init(.unprocessableContent, Self.sentence(malformed))
        case let refusal as InvitationRefusal:
            self.init(.conflict, Self.sentence(refusal), mend: refusal.mend)
        case let refusal as WebhookRefusal:
            self.init(.unprocessableContent, Self.sentence(refusal), mend: refusal.mend)
        default:
            return nil
        }
    }

    private static func status(_ refusal: AdministrationRefusal) -> HTTPResponse.Status {
        switch refusal {
        case .unknownApp, .unknownRelease, .unknownDevice, .unknownProfile, .unknownChannel,
            .nothingOffered, .ambiguousRelease:
            .notFound
        case .changedMeanwhile: .conflict
        default: .unprocessableContent
        }
    }

    /// What helps in front of a page; other refusals name commands.
    private static func mend(_ refusal: AdministrationRefusal) -> String? {
        switch refusal {
        case .badTitle, .badReason, .noPassphrase, .notesTooLong, .changedMeanwhile:
            refusal.mend.prefix(1).uppercased() + refusal.mend.dropFirst() + "."
        default: nil
        }
    }

    /// One clause of an error as a sentence.
    static func sentence(_ error: some CustomStringConvertible) -> String {
        let text = error.description
        return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }
}
