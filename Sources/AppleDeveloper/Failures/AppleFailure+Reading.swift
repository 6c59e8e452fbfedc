extension AppleFailure {
    /// Interprets an error response.
    ///
    /// Error codes and the source pointer decide where they can. Apple uses the same code for several
    /// errors of one request; only in these cases does the wording of the message decide.
    ///
    /// - Parameters:
    ///   - status: the HTTP status, 400 or more; ``AppleCaller``, which has the token and the attempts,
    ///     handles 401 and 429.
    ///   - document: the errors in the body.
    ///   - purpose: the purpose of the request.
    ///   - name: the name of the resource to create, for the message.
    init(
        status: Int,
        _ document: RefusalDocument,
        for purpose: APIRequest.Purpose,
        name: String,
    ) {
        self =
            switch status {
            case 500...: .unavailable(status: status)
            case 403: Self.forbidden(document, for: purpose)
            case 404: .notFound(what: purpose.subject)
            case 409, 422: Self.conflict(status, document, for: purpose, name: name)
            default: Self.other(status, document)
            }
    }

    private static func forbidden(
        _ document: RefusalDocument,
        for purpose: APIRequest.Purpose,
    ) -> AppleFailure {
        if document.has(code: "FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED") {
            return .agreementMissing
        }
        // An account without free slots returns the code of a missing role.
        if purpose == .registerDevice, document.says("maximum number") { return .noSlotLeft }
        if document.has(code: "FORBIDDEN_ERROR") || document.has(code: "FORBIDDEN") {
            return .roleMissing
        }
        return other(403, document)
    }

    private static func conflict(
        _ status: Int,
        _ document: RefusalDocument,
        for purpose: APIRequest.Purpose,
        name: String,
    ) -> AppleFailure {
        switch purpose {
        case .registerDevice, .changeDevice:
            if document.says("maximum number") { return .noSlotLeft }
            if document.says("already exists") { return .nameTaken(name) }
            if document.isAbout("udid") || document.isAbout("name") { return .badDevice }
        case .createProfile:
            if document.says("multiple profiles") || document.says("duplicate")
                || document.says("already exists")
            {
                return .nameTaken(name)
            }
            if document.says("deviceclass") { return .wrongDeviceClass }
            if document.isAbout("certificates") || document.says("no current certificate") {
                return .notFound(what: "certificate")
            }
            if document.isAbout("bundleId") || document.says("no app id") {
                return .notFound(what: "App ID")
            }
            if document.isAbout("devices") || document.says("no current") { return .noDevices }
        case .createCertificate:
            // "You already have a current Distribution certificate or a pending certificate request".
            if document.says("already have a current") { return .tooManyCertificates }
        case .registerBundleID:
            if document.isAbout("identifier") || document.says("not available")
                || document.says("already exists")
            {
                return .identifierTaken(name)
            }
        case .enableCapability:
            if document.says("already exists") { return .nameTaken(name) }
        default: break
        }
        return other(status, document)
    }

    private static func other(_ status: Int, _ document: RefusalDocument) -> AppleFailure {
        let first = document.entries.first
        return .refused(status: status, code: first?.code ?? "", said: first?.detail ?? "")
    }
}

extension APIRequest.Purpose {
    /// The object of the request, for messages.
    var subject: String {
        switch self {
        case .readDevices, .registerDevice, .changeDevice: "device"
        case .readProfiles, .createProfile, .deleteProfile: "profile"
        case .readCertificates, .createCertificate, .revokeCertificate: "certificate"
        case .readBundleIDs, .registerBundleID: "App ID"
        case .readCapabilities, .enableCapability: "capability"
        }
    }
}
