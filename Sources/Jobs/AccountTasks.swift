import Bytes
package import Cryptography
package import Identifiers

/// The state of a job that registers devices.
package struct RegistrationTask: Codable, Sendable, Equatable {
    /// Why the job was begun, as one clause.
    package let reason: String
    /// How often it has waited for devices that Apple was still processing.
    package var waits = 0
    /// The number of devices that Apple is still processing; nil before the first check.
    package var pending: Int?
    /// Devices that Apple refused to register.
    package var refused: [DeviceUDID]?

    package init(reason: String) {
        self.reason = reason
    }
}

/// The steps of a job that registers devices; each can be repeated.
package enum RegistrationStep: String, WordCoded, Sendable {
    /// Compares both lists, and registers the devices that are missing at Apple, one after the other.
    case register
    /// Waits while Apple is processing some of the devices.
    case wait
}

/// The state of a job that renews profiles.
package struct RenewalTask: Codable, Sendable, Equatable {
    /// A profile that is to be created, or was.
    package struct Draft: Codable, Sendable, Equatable {
        /// The bundle identifier of the profile.
        package let bundle: String
        /// Its name at Apple, by which it is found again.
        package let name: String
        /// Apple's identifiers of the App ID, the certificate and the devices.
        package let appID: String
        package let certificate: String
        package let devices: [String]
        /// Apple's identifier of the profile, once it is created.
        package var accountID: String?
        /// The digest of its bytes, once they are in the store.
        package var digest: SHA256Digest?

        package init(
            bundle: String,
            name: String,
            appID: String,
            certificate: String,
            devices: [String],
        ) {
            self.bundle = bundle
            self.name = name
            self.appID = appID
            self.certificate = certificate
            self.devices = devices
        }
    }

    /// Why the job was begun, as one clause.
    package let reason: String
    /// Chosen before the first of them is created, so that a second attempt creates no others.
    package var drafts: [Draft] = []
    /// Apple's identifiers of the profiles of this server that the new ones replace; they are deleted once
    /// builds are signed with the new ones.
    package var superseded: [String] = []
    /// The names of abandoned drafts; Apple may have created profiles of them.
    package var abandoned: [String]?
    /// The jobs that sign releases with the new profiles.
    package var signing: [JobIdentifier] = []
    /// How often the job has waited.
    package var waits = 0
    /// The names of devices that Apple omitted from the profiles.
    package var omitted: [String]?
    /// Why a profile cannot be created, and how to fix it.
    package var obstacle: Obstacle?

    /// The problem that prevents a profile from being created.
    package struct Obstacle: Codable, Sendable, Equatable {
        package let message: String
        package let fix: String

        package init(message: String, fix: String) {
            self.message = message
            self.fix = fix
        }
    }

    package init(reason: String) {
        self.reason = reason
    }

    /// Abandons the drafts, and remembers the names under which Apple may have created profiles of them.
    package mutating func abandonDrafts() {
        abandoned = Self.abandoning(drafts, beside: abandoned)
        drafts = []
    }

    /// Returns the names, newest last, at most 400.
    fileprivate static func abandoning(_ drafts: [Draft], beside names: [String]?) -> [String]? {
        guard !drafts.isEmpty else { return names }
        return ((names ?? []) + drafts.map(\.name)).suffix(400)
    }
}

/// The steps of a job that renews profiles; each can be repeated.
package enum RenewalStep: String, WordCoded, Sendable {
    /// Decides which profiles to create, and records that.
    case plan
    /// Creates the profiles at Apple, and stores their bytes.
    case make
    /// Adds the profiles to the team.
    case adopt
    /// Signs releases with the profiles.
    case sign
    /// Deletes the replaced profiles at Apple.
    case tidy
}

/// The state of a job that renews a certificate.
package struct CertificateTask: Codable, Sendable, Equatable {
    /// Why the job was begun, as one clause.
    package let reason: String
    /// Apple's identifier of the certificate, once it is issued.
    package var accountID: String?
    /// The profiles that list the certificate; chosen before the first of them is created.
    package var drafts: [RenewalTask.Draft]?
    /// The names of abandoned drafts; Apple may have created profiles of them.
    package var abandoned: [String]?

    package init(reason: String) {
        self.reason = reason
    }

    /// Abandons the drafts, and remembers the names under which Apple may have created profiles of them.
    package mutating func abandonDrafts() {
        abandoned = RenewalTask.abandoning(drafts ?? [], beside: abandoned)
        drafts = nil
    }
}

/// The steps of a job that renews a certificate; each can be repeated.
package enum CertificateStep: String, WordCoded, Sendable {
    /// Creates and seals a private key, and requests a certificate for it from Apple.
    case request
    /// Creates profiles that list the new certificate, and adds both to the team at once.
    case adopt
}
