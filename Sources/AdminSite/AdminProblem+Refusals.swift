import APIDocuments
import Access
import Addresses
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
            self.init(Self.status(refusal), Self.sentence(refusal), fix: Self.fix(refusal))
        case let refusal as SlugRefusal:
            self.init(.conflict, Self.sentence(refusal))
        case let refusal as PassphraseRefusal:
            self.init(.unprocessableContent, Self.sentence(refusal))
        case let malformed as MalformedDeviceFile:
            self.init(.unprocessableContent, Self.sentence(malformed))
        case let refusal as InvitationRefusal:
            self.init(.conflict, Self.sentence(refusal), fix: Self.hint(refusal.fix))
        case let refusal as WebhookRefusal:
            self.init(.unprocessableContent, Self.sentence(refusal), fix: Self.fix(refusal))
        case let failure as StoreFailure where failure.concernsOnePlace:
            self.init(
                .serviceUnavailable,
                Self.sentence(failure),
                fix: Self.sentence(failure.fix),
            )
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
    private static func fix(_ refusal: AdministrationRefusal) -> String? {
        switch refusal {
        case .badTitle, .badReason, .noPassphrase, .notesTooLong, .changedMeanwhile:
            Self.hint(refusal.fix)
        default: nil
        }
    }

    private static func fix(_ refusal: WebhookRefusal) -> String? {
        switch refusal {
        case .notSecure: "Only https:// addresses can be added here."
        case .address(_, .near): "Only public addresses can be added here."
        case .alreadyThere: "Remove that one first."
        case .tooMany: "Remove one that is no longer needed."
        case .noEvent: "Choose at least one event."
        default: Self.hint(refusal.fix)
        }
    }

    /// One clause of an error as a sentence.
    static func sentence(_ error: some CustomStringConvertible) -> String {
        Wording.sentence(error)
    }

    /// What to do about it, as a sentence for a page; nil for what names commands and their options,
    /// which no one can use in a browser.
    static func hint(_ fix: String) -> String? {
        guard !fix.contains("`ota "), !fix.contains(": ota "), !fix.contains(" --") else {
            return nil
        }
        return Wording.sentence(fix)
    }
}
