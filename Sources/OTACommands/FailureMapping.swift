import APIDocuments
import Administration
import Bundles
import Bytes
import Cryptography
import Foundation
import GitRepositories
import HTTPServing
import Inspection
import OTAClient
import OTAServer
import Packaging
import Pages
import Sample
import Versions
import Zip

extension CommandFailure {
    /// Says any error that the rooms below throw: its identifier, what, where, and how to fix it.
    ///
    /// The only place where errors become words of the command line.
    init(_ error: any Error) {
        self =
            switch error {
            case let failure as CommandFailure: failure
            case let archive as UnreadableArchive: CommandFailure(archive)
            case let refusal as VersionRefusal:
                CommandFailure(id: refusal.id, message: refusal.description, fix: refusal.fix)
            case let refusal as CheckoutRefusal:
                CommandFailure(
                    id: refusal.id,
                    message: refusal.description,
                    place: refusal.place,
                    fix: refusal.fix,
                )
            case let refusal as PackageRefusal:
                CommandFailure(
                    id: refusal.id,
                    message: refusal.description,
                    place: refusal.place,
                    fix: refusal.fix,
                )
            case let flaw as SettingsFlaw:
                CommandFailure(
                    id: flaw.id,
                    message: flaw.description,
                    place: flaw.place,
                    fix: flaw.fix,
                )
            case let problem as CertificateProblem:
                CommandFailure(
                    id: problem.id,
                    message: problem.description,
                    place: problem.place,
                    fix: problem.fix,
                )
            case let failure as ListenFailure:
                CommandFailure(
                    id: failure.id,
                    message: failure.description,
                    place: failure.place,
                    fix: failure.fix,
                )
            case let failure as ServerFailure: CommandFailure(failure.explanation)
            default:
                ErrorDocument.Failure(explaining: error).map(CommandFailure.init)
                    ?? CommandFailure(input: error)
            }
    }

    private init(_ archive: UnreadableArchive) {
        let first = archive.findings.first
        self.init(
            id: first?.id ?? "archive.unreadable",
            message: first?.message ?? "the archive cannot be read",
            place: first?.place,
            fix: first?.fix,
        )
    }

    private init(_ failure: ErrorDocument.Failure) {
        self.init(
            id: failure.id,
            message: failure.message,
            place: failure.place.isEmpty ? nil : failure.place,
            fix: failure.fix.isEmpty ? nil : failure.fix,
        )
    }

    /// Errors about what a person handed over.
    private init(input error: any Error) {
        self =
            switch error {
            case let certificate as MalformedCertificate:
                CommandFailure(
                    id: "certificate.malformed",
                    message: certificate.description,
                    fix: "give a PEM file with BEGIN CERTIFICATE lines",
                )
            case let key as MalformedKey:
                CommandFailure(
                    id: "key.malformed",
                    message: key.description,
                    fix: "give an unencrypted PEM key",
                )
            case let assets as NoAssets:
                CommandFailure(
                    id: "assets.none",
                    message: "the folder has none of the files that --assets replaces",
                    place: assets.folder,
                    fix: "put your own below templates/, public/ or docs/ there",
                )
            case let template as BrokenTemplate:
                CommandFailure(
                    id: "assets.broken-template",
                    message: template.description,
                    fix: "compare it with the template that comes with ota",
                )
            case let failure as SampleFailure:
                CommandFailure(
                    id: "sample.failed",
                    message: failure.description,
                    place: failure.place,
                    fix: failure.fix,
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
            message: "the operating system reported: \(message)",
            place: cocoa?.filePath,
            fix: "check the path, its permissions and the free space",
        )
    }
}
