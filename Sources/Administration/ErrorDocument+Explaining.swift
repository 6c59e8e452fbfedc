import APIDocuments
import Access
import Bundles
import Bytes
import Cryptography
import Enrolment
import GitRepositories
import Inspection
import Mirrors
import Notices
import Provenance
import Publishing
import Releases
import Sandboxing
import Store
import Versions

/// What a room throws that says by itself which it is, and how to fix it.
private protocol Fixable: Error, CustomStringConvertible {
    var id: String { get }
    var fix: String { get }
}

extension AdministrationRefusal: Fixable {}
extension ReleaseRefusal: Fixable {}
extension WebhookRefusal: Fixable {}
extension ProvenanceRefusal: Fixable {}
extension MirrorRefusal: Fixable {}
extension AddressFlaw: Fixable {}
extension PipelineFlaw: Fixable {}
extension TagFlaw: Fixable {}
extension GitFailure: Fixable {}
extension ProcessFailure: Fixable {}

extension ErrorDocument.Failure {
    /// Says what the rooms up to this one throw: its identifier, what, where, and how to fix it.
    ///
    /// - Returns: nil for an error of another room.
    package init?(explaining error: any Error) {
        switch error {
        case let refusal as PublishRefusal:
            self.init(
                id: refusal.id,
                message: refusal.description,
                place: refusal.place,
                fix: refusal.fix,
            )
        case let failure as StoreFailure:
            self.init(
                id: failure.id,
                message: failure.description,
                place: failure.place,
                fix: failure.fix,
            )
        case let failure as SystemFailure: self.init(explaining: StoreFailure.system(failure))
        case let refusal as DeviceRefusal: self.init(refusal)
        case let refusal as TokenRefusal: self.init(refusal)
        case let refusal as InvitationRefusal:
            self.init(
                id: refusal.identifier,
                message: refusal.description,
                fix: Self.fix(refusal),
            )
        case let refusal as any Fixable:
            self.init(id: refusal.id, message: refusal.description, fix: refusal.fix)
        default: self.init(input: error)
        }
    }

    /// What an admin can do; testers are told to ask their team.
    private static func fix(_ refusal: InvitationRefusal) -> String {
        switch refusal {
        case .unknown, .expired, .revoked, .used:
            "see `ota devices invitations` for those that are open"
        default: refusal.fix
        }
    }

    /// What of a list is damaged or missing, by place; nil where nothing is.
    static func list(_ failures: [StoreFailure]) -> [ErrorDocument.Failure]? {
        guard !failures.isEmpty else { return nil }
        return failures.sorted { $0.place < $1.place }.map { failure in
            ErrorDocument.Failure(
                id: failure.id,
                message: failure.description,
                place: failure.place,
                fix: failure.fix,
            )
        }
    }

    private init(_ refusal: DeviceRefusal) {
        let (id, fix): (String, String) =
            switch refusal {
            case .alreadyThere: ("device.already-there", "see `ota devices show`")
            case .unknown: ("device.unknown", "see `ota devices list --all`")
            case .badName: ("device.bad-name", "choose another name, such as Ana's iPhone")
            case .badModel:
                ("device.bad-model", "leave the model out; a device that enrols reports it")
            case .tooManyPending:
                ("device.too-many-pending", "approve or remove devices that are waiting")
            case .noSlotLeft(let slots):
                (
                    "device.no-slot",
                    "wait for the membership to renew"
                        + (slots.resets.map { " on \(Wording.day($0))" } ?? "")
                        + "; disabled devices then free their slots",
                )
            }
        self.init(id: id, message: refusal.description, fix: fix)
    }

    private init(_ refusal: TokenRefusal) {
        let (id, fix): (String, String) =
            switch refusal {
            case .badName: ("token.bad-name", "choose another name, such as ci or ana")
            case .nameTaken:
                ("token.name-taken", "choose another name, or revoke that token first")
            case .noScope: ("token.bad-scope", "give a scope")
            case .endsInThePast: ("token.ends-in-the-past", "choose a later expiry")
            case .tooMany: ("token.too-many", "see `ota tokens list`")
            case .unknown: ("token.unknown", "see `ota tokens list --all`")
            case .expired: ("token.expired", "create a new one: ota tokens create")
            case .revoked: ("token.revoked", "create a new one: ota tokens create")
            }
        self.init(id: id, message: refusal.description, fix: fix)
    }

    /// Errors about what a person handed over.
    private init?(input error: any Error) {
        switch error {
        case let failure as SourceFailure:
            self.init(
                id: "input.unreadable",
                message: failure.description,
                fix: "check the path and its permissions",
            )
        case let file as MalformedDeviceFile:
            self.init(
                id: "devices.malformed-list",
                message: file.description,
                fix: "export the list again, with tabs between the columns",
            )
        case let profile as ProfileRefusal:
            self.init(
                id: "profile.malformed",
                message: profile.description,
                fix: "download the profile from Apple's developer site again",
            )
        case let url as MalformedBaseURL:
            self.init(
                id: "base-url.malformed",
                message: url.description,
                fix: "give it as https://host, https://host:port or https://host/path",
            )
        case let refusal as SlugRefusal:
            self.init(
                id: "app.slug-taken",
                message: refusal.description,
                fix: "choose another slug",
            )
        case let refusal as PassphraseRefusal:
            self.init(
                id: "app.bad-passphrase",
                message: refusal.description,
                fix: "choose another passphrase",
            )
        default: return nil
        }
    }
}
