import Access
import Administration
import Bundles
import Bytes
import Cryptography
import Enrolment
import Foundation
import GitMirror
import Inspection
import Notices
import OTAServer
import Packaging
import Pages
import Provenance
import Publishing
import Releases
import Sample
import Store
import Versions
import Zip

extension CommandFailure {
    /// Says any error that the rooms below throw: its identifier, what, where, and how to mend it.
    ///
    /// The only place where errors become words of the command line.
    init(_ error: any Error) {
        self =
            switch error {
            case let failure as CommandFailure: failure
            case let archive as UnreadableArchive: CommandFailure(archive)
            case let refusal as PublishRefusal:
                CommandFailure(
                    id: refusal.id,
                    message: refusal.description,
                    place: refusal.place,
                    mend: refusal.mend,
                )
            case let refusal as ReleaseRefusal:
                CommandFailure(id: refusal.id, message: refusal.description, mend: refusal.mend)
            case let refusal as VersionRefusal:
                CommandFailure(id: refusal.id, message: refusal.description, mend: refusal.mend)
            case let refusal as CheckoutRefusal:
                CommandFailure(
                    id: refusal.id,
                    message: refusal.description,
                    place: refusal.place,
                    mend: refusal.mend,
                )
            case let refusal as ProvenanceRefusal:
                CommandFailure(id: refusal.id, message: refusal.description, mend: refusal.mend)
            case let refusal as PackageRefusal:
                CommandFailure(
                    id: refusal.id,
                    message: refusal.description,
                    place: refusal.place,
                    mend: refusal.mend,
                )
            case let flaw as SettingsFlaw:
                CommandFailure(
                    id: flaw.id,
                    message: flaw.description,
                    place: flaw.place,
                    mend: flaw.mend,
                )
            case let failure as GitFailure:
                CommandFailure(id: failure.id, message: failure.description, mend: failure.mend)
            case let failure as ProcessFailure:
                CommandFailure(
                    id: "process.failed",
                    message: failure.description,
                    mend: failure.mend,
                )
            case let failure as StoreFailure:
                CommandFailure(
                    id: failure.id,
                    message: failure.description,
                    place: failure.place,
                    mend: failure.mend,
                )
            case let failure as SystemFailure: CommandFailure(StoreFailure.system(failure))
            case let problem as CertificateProblem:
                CommandFailure(
                    id: problem.id,
                    message: problem.description,
                    place: problem.place,
                    mend: problem.mend,
                )
            case let failure as ListenFailure:
                CommandFailure(
                    id: failure.id,
                    message: failure.description,
                    place: failure.place,
                    mend: failure.mend,
                )
            case let refusal as AdministrationRefusal:
                CommandFailure(id: refusal.id, message: refusal.description, mend: refusal.mend)
            case let refusal as SlugRefusal:
                CommandFailure(
                    id: "app.slug-taken",
                    message: refusal.description,
                    mend: "give another --slug",
                )
            case let refusal as PassphraseRefusal:
                CommandFailure(
                    id: "app.bad-passphrase",
                    message: refusal.description,
                    mend: "give another one",
                )
            case let refusal as DeviceRefusal: CommandFailure(refusal)
            case let refusal as TokenRefusal: CommandFailure(refusal)
            case let refusal as WebhookRefusal:
                CommandFailure(
                    id: refusal.id,
                    message: refusal.description,
                    mend: refusal.mend,
                )
            case let refusal as InvitationRefusal:
                CommandFailure(
                    id: refusal.identifier,
                    message: refusal.description,
                    mend: refusal.mend,
                )
            default: CommandFailure(mirror: error) ?? CommandFailure(input: error)
            }
    }

    private init(_ archive: UnreadableArchive) {
        let first = archive.findings.first
        self.init(
            id: first?.id ?? "archive.unreadable",
            message: first?.message ?? "the archive cannot be read",
            place: first?.place,
            mend: first?.mend,
        )
    }

    private init(_ refusal: DeviceRefusal) {
        let (id, mend): (String, String) =
            switch refusal {
            case .alreadyThere: ("device.already-there", "see `ota devices show`")
            case .unknown: ("device.unknown", "see `ota devices list --all` for those there are")
            case .badName: ("device.bad-name", "give another --name")
            case .tooManyPending:
                ("device.too-many-pending", "approve or remove devices that wait")
            case .noSlotLeft(let slots):
                (
                    "device.no-slot",
                    "wait for the membership to renew"
                        + (slots.resets.map { " on \(Wording.day($0))" } ?? "")
                        + "; disabled devices give their slots back then",
                )
            }
        self.init(id: id, message: refusal.description, mend: mend)
    }

    private init(_ refusal: TokenRefusal) {
        let (id, mend): (String, String) =
            switch refusal {
            case .badName: ("token.bad-name", "give another --name")
            case .nameTaken: ("token.name-taken", "give another --name, or revoke that one first")
            case .noScope: ("token.bad-scope", "give a --scope")
            case .endsInThePast: ("token.ends-in-the-past", "give a longer --expires")
            case .tooMany: ("token.too-many", "see `ota tokens list`")
            case .unknown: ("token.unknown", "see `ota tokens list --all` for those there are")
            case .expired: ("token.expired", "make a new one: ota tokens create")
            case .revoked: ("token.revoked", "make a new one: ota tokens create")
            }
        self.init(id: id, message: refusal.description, mend: mend)
    }

    /// Errors about what a person handed over.
    private init(input error: any Error) {
        self =
            switch error {
            case let failure as SourceFailure:
                CommandFailure(
                    id: "input.unreadable",
                    message: failure.description,
                    mend: "check the path and its permissions",
                )
            case let file as MalformedDeviceFile:
                CommandFailure(
                    id: "devices.malformed-list",
                    message: file.description,
                    mend: "export the list again, with tabs between the columns",
                )
            case let profile as ProfileRefusal:
                CommandFailure(
                    id: "profile.malformed",
                    message: profile.description,
                    mend: "download the profile from Apple's developer site again",
                )
            case let certificate as MalformedCertificate:
                CommandFailure(
                    id: "certificate.malformed",
                    message: certificate.description,
                    mend: "give a PEM file with BEGIN CERTIFICATE lines",
                )
            case let key as MalformedKey:
                CommandFailure(
                    id: "key.malformed",
                    message: key.description,
                    mend: "give an unencrypted PEM key",
                )
            case let url as MalformedBaseURL:
                CommandFailure(
                    id: "base-url.malformed",
                    message: url.description,
                    mend: "give it as https://host, https://host:port or https://host/path",
                )
            case let template as BrokenTemplate:
                CommandFailure(
                    id: "assets.broken-template",
                    message: template.description,
                    mend: "compare it with the one that comes with ota",
                )
            case let failure as SampleFailure:
                CommandFailure(
                    id: "sample.failed",
                    message: failure.description,
                    place: failure.place,
                    mend: failure.mend,
                )
            default:
                CommandFailure(system: error)
            }
    }

    /// What the system says; Foundation wraps it in words that name no cause.
    private init(system error: any Error) {
        let cocoa = error as? CocoaError
        let cause = (cocoa?.underlying ?? error) as? POSIXError
        let message =
            cause.map { unsafe String(cString: strerror($0.code.rawValue)).lowercased() }
            ?? "\(error)"
        self.init(
            id: "system.failure",
            message: "the system refused: \(message)",
            place: cocoa?.filePath,
            mend: "check the path, its permissions and the free space",
        )
    }
}
