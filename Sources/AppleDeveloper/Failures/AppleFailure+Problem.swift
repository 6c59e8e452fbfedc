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
            "look in App Store Connect, Users and Access, Integrations, whether the key is active; "
                + "if not, create another team key and give it to the team here"
        case .clockDiffers:
            "set the clock of this machine, by NTP if possible; tokens are valid for minutes"
        case .roleMissing: "create a team key with the role Admin and give it to the team here"
        case .agreementMissing:
            "ask the Account Holder to sign in to developer.apple.com/account, to accept the "
                + "agreement shown there and to renew the membership if it has ended"
        case .rateLimited, .unavailable, .interrupted: "wait; it is tried again by itself"
        case .tooSlow, .unreachable:
            "check that this machine reaches api.appstoreconnect.apple.com on port 443"
        case .untrusted:
            "check what answers for api.appstoreconnect.apple.com; behind a proxy that opens TLS, "
                + "give its authority as an anchor"
        case .answerTooLarge, .unreadable, .foreignLink, .tooManyPages:
            "check the address of App Store Connect; report this if it is Apple's own"
        case .notFound: "compare the registers again; somebody has removed it at Apple"
        case .nameTaken: "choose another name, or remove what has it at developer.apple.com"
        case .tooManyCertificates:
            "revoke one that is no longer used at developer.apple.com/account/resources/certificates; "
                + "builds that were signed with it stop installing"
        case .noSlotLeft:
            "disable devices that are no longer used; their slots are free when the membership "
                + "renews"
        case .badDevice:
            "let the device enrol again, so that its identifier comes from itself; its name must "
                + "have at most 50 characters"
        case .noDevices: "enable a device at developer.apple.com, or wait until Apple has added one"
        case .wrongDeviceClass: "leave out devices that do not run iOS"
        case .identifierTaken:
            "use the team that owns the App ID, or give the app another bundle identifier"
        case .notOurs: "delete it at developer.apple.com if it is no longer used"
        case .refused: "read what Apple says; see developer.apple.com/account"
        case .key(let malformed): malformed.fix
        }
    }
}

extension AppleFailure {
    /// Whether an admin must do something before it can work.
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

    /// What a tester who waits may be told, in a whole sentence.
    package var testerSentence: String {
        switch self {
        case .agreementMissing:
            "Apple waits for the people who run this site to accept an agreement."
        case .noSlotLeft: "Apple's list of devices is full for this year."
        case .badDevice, .wrongDeviceClass: "Apple does not accept this device."
        case .keyRefused, .clockDiffers, .roleMissing, .untrusted, .tooManyCertificates, .refused,
            .notOurs, .key, .foreignLink, .identifierTaken, .nameTaken:
            "Something has to be fixed by the people who run this site."
        case .rateLimited, .unavailable, .unreachable, .tooSlow, .answerTooLarge, .unreadable,
            .tooManyPages, .notFound, .interrupted, .noDevices:
            "Apple takes longer than usual. It continues by itself."
        }
    }

    /// Whether Apple may have done it all the same: no answer came, or one that says nothing.
    var leavesOutcomeOpen: Bool {
        switch self {
        case .unavailable, .unreachable, .tooSlow, .answerTooLarge, .unreadable, .interrupted: true
        default: false
        }
    }
}
