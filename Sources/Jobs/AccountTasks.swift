import Bytes
package import Cryptography
package import Identifiers

/// What a job that registers devices has to know.
package struct RegistrationTask: Codable, Sendable, Equatable {
    /// Why it was begun, as one clause.
    package let reason: String
    /// How often it has waited for devices that Apple had not finished with.
    package var waits = 0
    /// How many devices it still waits for; nil before it has looked.
    package var pending: Int?
    /// Devices that Apple does not take.
    package var refused: [DeviceUDID]?

    package init(reason: String) {
        self.reason = reason
    }
}

/// The steps of a job that registers devices; each can be done again.
package enum RegistrationStep: String, WordCoded, Sendable {
    /// Both lists are compared, and what is missing at Apple is registered, one device after the other.
    case register
    /// Apple has not finished with some of them.
    case wait
}

/// What a job that renews profiles has to know.
package struct RenewalTask: Codable, Sendable, Equatable {
    /// A profile that is made, or was.
    package struct Draft: Codable, Sendable, Equatable {
        /// The bundle identifier that it is for.
        package let bundle: String
        /// Its name at Apple, by which it is found again.
        package let name: String
        /// What Apple calls the App ID, the certificate and the devices.
        package let appID: String
        package let certificate: String
        package let devices: [String]
        /// What Apple calls the profile, once it is made.
        package var accountID: String?
        /// Of its bytes, once they are in the store.
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

    /// Why it was begun, as one clause.
    package let reason: String
    /// Chosen before the first of them is made, so that a second attempt makes no others.
    package var drafts: [Draft] = []
    /// What Apple calls the profiles of this server that the new ones replace; they are deleted once
    /// builds are signed with the new ones.
    package var superseded: [String] = []
    /// The names of drafts that were given up; Apple may have made profiles of them.
    package var abandoned: [String]?
    /// The jobs that sign releases with the new profiles.
    package var signing: [JobIdentifier] = []
    /// How often it has waited.
    package var waits = 0
    /// The names of devices that Apple has left out of the profiles.
    package var omitted: [String]?
    /// Why a profile cannot be made, and what to do about it.
    package var obstacle: Obstacle?

    /// What keeps a profile from being made, in the words of its problem.
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

    /// Gives up the drafts, and remembers by what names profiles may have been made of them.
    package mutating func abandonDrafts() {
        abandoned = Self.abandoning(drafts, beside: abandoned)
        drafts = []
    }

    /// Names, the newest last, and at most a few hundred.
    fileprivate static func abandoning(_ drafts: [Draft], beside names: [String]?) -> [String]? {
        guard !drafts.isEmpty else { return names }
        return ((names ?? []) + drafts.map(\.name)).suffix(400)
    }
}

/// The steps of a job that renews profiles; each can be done again.
package enum RenewalStep: String, WordCoded, Sendable {
    /// What has to be made is decided and noted.
    case plan
    /// The profiles are made at Apple, and their bytes come into the store.
    case make
    /// The team takes them.
    case adopt
    /// Releases are signed with them.
    case sign
    /// What they replace is deleted at Apple.
    case tidy
}

/// What a job that renews a certificate has to know.
package struct CertificateTask: Codable, Sendable, Equatable {
    /// Why it was begun, as one clause.
    package let reason: String
    /// What Apple calls the certificate, once it is made.
    package var accountID: String?
    /// The profiles that list it; chosen before the first of them is made.
    package var drafts: [RenewalTask.Draft]?
    /// The names of drafts that were given up; Apple may have made profiles of them.
    package var abandoned: [String]?

    package init(reason: String) {
        self.reason = reason
    }

    /// Gives up the drafts, and remembers by what names profiles may have been made of them.
    package mutating func abandonDrafts() {
        abandoned = RenewalTask.abandoning(drafts ?? [], beside: abandoned)
        drafts = nil
    }
}

/// The steps of a job that renews a certificate; each can be done again.
package enum CertificateStep: String, WordCoded, Sendable {
    /// A private key is made and sealed, and Apple is asked for a certificate of it.
    case request
    /// Profiles that list the new certificate are made, and the team takes both at once.
    case adopt
}
