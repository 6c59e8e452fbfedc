package import Bundles
import Bytes
import Cryptography
import Identifiers

extension AppIdentity {
    init(_ application: AppBundle, size: Int, sha256: SHA256Digest) {
        self.init(
            bundleIdentifier: application.info.bundleIdentifier,
            name: application.name,
            version: application.info.version,
            build: application.info.build,
            minimumOS: application.info.minimumOSText,
            families: application.info.families.map(\.name),
            supportedModels: application.info.supportedModels,
            capabilities: application.info.requiredCapabilities,
            size: size,
            sha256: sha256,
            path: application.path.text,
        )
    }
}

extension NestedBundle {
    init(_ bundle: AppBundle, in input: InspectionInput) {
        self.init(
            path: bundle.path.text,
            kind: bundle.kind,
            bundleIdentifier: bundle.info.identifierText,
            version: bundle.info.version,
            build: bundle.info.build,
            minimumOS: bundle.info.minimumOSText,
            extensionPoint: bundle.info.extensionPoint,
            profile: input.profile(of: bundle).profile.map(ProfileSummary.init),
            signature: SignatureSummary(of: bundle, in: input),
        )
    }
}

extension ProfileSummary {
    /// Summarises a profile of a build, or one that an admin added.
    package init(_ profile: ProvisioningProfile) {
        self.init(
            uuid: profile.uuid,
            name: profile.name,
            type: profile.kind,
            isTestFlight: profile.isTestFlight,
            team: profile.team ?? "",
            teamName: profile.teamName ?? "",
            applicationIdentifier: profile.applicationIdentifier?.rawValue,
            created: profile.created,
            expires: profile.expires,
            devices: profile.devices?.sorted(),
            trust: profile.trust,
            certificates: profile.certificates.map(CertificateSummary.init),
        )
    }
}

extension CertificateSummary {
    init(_ certificate: Certificate) {
        self.init(
            name: certificate.subject.commonName ?? certificate.subject.description,
            serial: certificate.serialNumber,
            begins: certificate.notBefore,
            expires: certificate.notAfter,
        )
    }
}
