package import Problems

extension AppleFailure {
    package var id: String {
        switch self {
        case .keyRefused: "apple.key-refused"
        case .clockDiffers: "apple.clock"
        case .roleMissing: "apple.role"
        case .agreementMissing: "apple.agreement"
        case .rateLimited: "apple.rate-limited"
        case .unavailable: "apple.unavailable"
        case .unreachable: "apple.unreachable"
        case .tooSlow: "apple.too-slow"
        case .untrusted: "apple.untrusted"
        case .answerTooLarge, .unreadable, .foreignLink, .tooManyPages: "apple.unreadable"
        case .notFound: "apple.not-found"
        case .nameTaken: "apple.name-taken"
        case .tooManyCertificates: "apple.certificate-limit"
        case .noSlotLeft: "apple.no-slot"
        case .badDevice: "apple.bad-device"
        case .noDevices: "apple.no-devices"
        case .wrongDeviceClass: "apple.device-class"
        case .identifierTaken: "apple.identifier-taken"
        case .notOurs: "apple.not-ours"
        case .refused: "apple.refused"
        case .interrupted: "apple.interrupted"
        case .key: "apple.key-malformed"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .keyRefused, .roleMissing, .agreementMissing, .notOurs, .refused: .refused
        case .clockDiffers, .unavailable, .unreachable, .tooSlow, .untrusted, .interrupted:
            .unavailable
        case .rateLimited: .busy
        case .answerTooLarge, .unreadable, .foreignLink, .tooManyPages, .key: .failed
        case .notFound: .notFound
        case .nameTaken, .tooManyCertificates, .noSlotLeft, .noDevices, .identifierTaken: .conflict
        case .badDevice, .wrongDeviceClass: .invalid
        }
    }

    package var fix: String {
        switch self {
        case .keyRefused:
            "check in App Store Connect, Users and Access, Integrations, that the key is active; if it "
                + "is not, create another team key and add it to the team here"
        case .clockDiffers:
            "set the clock of this machine, if possible with NTP; tokens are valid for only a few minutes"
        case .roleMissing: "create a team key with the role Admin and add it to the team here"
        case .agreementMissing:
            "ask the Account Holder to sign in at developer.apple.com/account, accept the agreement "
                + "shown there, and renew the membership if it has ended"
        case .rateLimited, .unavailable, .interrupted:
            "try again later; the jobs of a running server are tried again automatically"
        case .tooSlow, .unreachable:
            "check that this machine can reach api.appstoreconnect.apple.com on port 443, or the "
                + "address in --apple-url"
        case .untrusted:
            "check the clock of this machine, and which server answers there; if a proxy decrypts TLS, "
                + "give the certificate of its authority with --apple-ca-file"
        case .answerTooLarge, .unreadable, .foreignLink, .tooManyPages:
            "check the configured address of App Store Connect; if it is Apple's own, report a bug"
        case .notFound: "it was deleted in the developer account; run `ota teams sync` again"
        case .nameTaken:
            "choose another name, or remove the resource with that name at developer.apple.com"
        case .tooManyCertificates:
            "revoke an unused certificate at developer.apple.com/account/resources/certificates; builds "
                + "signed with it can then no longer be installed"
        case .noSlotLeft:
            "disable devices that are no longer used; their slots become free when the membership "
                + "renews"
        case .badDevice:
            "enrol the device again, so that it reports its own identifier; its name must have at most "
                + "50 characters"
        case .noDevices:
            "enable a device at developer.apple.com, or wait until Apple has processed one"
        case .wrongDeviceClass: "leave out devices that do not run iOS"
        case .identifierTaken:
            "use the team that owns the App ID, or give the app another bundle identifier"
        case .notOurs: "delete it at developer.apple.com if it is no longer used"
        case .refused: "read Apple's message, and see developer.apple.com/account"
        case .key(let malformed): malformed.fix
        }
    }
}

extension AppleFailure {
    /// Whether an admin must act before the request can succeed.
    package var needsPerson: Bool {
        switch self {
        case .keyRefused, .clockDiffers, .roleMissing, .agreementMissing, .untrusted,
            .tooManyCertificates, .noSlotLeft, .badDevice, .wrongDeviceClass, .identifierTaken,
            .notOurs, .refused, .key, .foreignLink, .nameTaken:
            true
        case .rateLimited, .unavailable, .unreachable, .tooSlow, .answerTooLarge, .unreadable,
            .tooManyPages, .notFound, .noDevices, .interrupted:
            false
        }
    }

    /// A sentence for waiting testers.
    package var testerSentence: String {
        switch self {
        case .agreementMissing:
            "Your team has to accept an agreement with Apple first."
        case .noSlotLeft: "Your team cannot register any more devices this year."
        case .badDevice, .wrongDeviceClass: "Apple does not accept this device."
        case .keyRefused, .clockDiffers, .roleMissing, .untrusted, .tooManyCertificates, .refused,
            .notOurs, .key, .foreignLink, .identifierTaken, .nameTaken:
            "Your team has to fix a problem first."
        case .rateLimited, .unavailable, .unreachable, .tooSlow, .answerTooLarge, .unreadable,
            .tooManyPages, .notFound, .interrupted, .noDevices:
            "Apple is taking longer than usual. This continues on its own."
        }
    }

    /// Whether Apple may still have carried out the request: there was no response, or none that tells.
    var leavesOutcomeOpen: Bool {
        switch self {
        case .unavailable, .unreachable, .tooSlow, .answerTooLarge, .unreadable, .interrupted: true
        default: false
        }
    }
}
