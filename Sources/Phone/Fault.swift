/// A problem that a phone has with a server.
package struct Fault: Equatable, Sendable, Encodable {
    package let id: FaultID
    /// Whether a phone stops here; otherwise it continues, and the problem is only reported.
    package let isFatal: Bool
    /// One clause that describes the problem.
    package let message: String
    /// What a real phone shows; nil when it shows nothing unusual.
    package let shown: String?
    package let fix: String

    /// A fault that stops a phone.
    package static func failure(
        _ id: FaultID,
        _ message: String,
        shown: PhoneScreen,
        fix: String,
    ) -> Fault {
        Fault(id: id, isFatal: true, message: message, shown: shown.description, fix: fix)
    }

    /// The fix for a response with an unexpected status: an error of the server (5xx) says nothing about the
    /// address, the method or the rights with which it was requested.
    static func fix(of status: Int, or fix: String) -> String {
        guard status >= 500 else { return fix }
        return [502, 503, 504].contains(status)
            ? "The server cannot answer at the moment: try again in a minute, and then read its log "
                + "and that of any proxy in front of it. /readyz of an ota server says why."
            : "The server failed: read its log, and that of any proxy in front of it."
    }

    /// A fault with which a phone continues.
    package static func warning(_ id: FaultID, _ message: String, fix: String) -> Fault {
        Fault(id: id, isFatal: false, message: message, shown: nil, fix: fix)
    }
}

/// The kind of a fault; scripts may rely on the raw values.
package enum FaultID: String, CaseIterable, Encodable, Sendable {
    case addressMalformed = "address.malformed"

    case hostUnknown = "connection.host-unknown"
    case connectionRefused = "connection.refused"
    case connectionTimedOut = "connection.timed-out"
    case connectionBroken = "connection.broken"
    case notHTTP = "connection.not-http"

    case notTLS = "trust.not-tls"
    case oldTLS = "trust.old-tls"
    case incompleteChain = "trust.incomplete-chain"
    case untrustedAuthority = "trust.untrusted-authority"
    case expired = "trust.expired"
    case notYetValid = "trust.not-yet-valid"
    case wrongHost = "trust.wrong-host"
    case noHostNames = "trust.no-host-names"
    case tooLongLived = "trust.too-long-lived"
    case weakKey = "trust.weak-key"
    case weakSignature = "trust.weak-signature"
    case notForServers = "trust.not-for-servers"
    case refusedChain = "trust.refused"

    case authorityProfile = "authority.profile"

    case pagePlain = "page.plain-http"
    case pageStatus = "page.status"
    case pageRedirects = "page.redirects"
    case pageTooLarge = "page.too-large"
    case linkMissing = "link.missing"
    case linkScripted = "link.scripted"
    case linkMalformed = "link.malformed"

    case manifestPlain = "manifest.plain-http"
    case manifestRedirect = "manifest.redirect"
    case manifestStatus = "manifest.status"
    case manifestCookie = "manifest.needs-cookie"
    case manifestType = "manifest.type"
    case manifestTooLarge = "manifest.too-large"
    case manifestUnreadable = "manifest.unreadable"
    case manifestBinary = "manifest.binary"
    case manifestIncomplete = "manifest.incomplete"
    case manifestKind = "manifest.kind"
    case manifestTitle = "manifest.title"
    case manifestDigests = "manifest.digests"

    case iconMissing = "icon.missing"
    case iconPlain = "icon.plain-http"
    case iconUnreadable = "icon.unreadable"
    case iconAppleOnly = "icon.cgbi"
    case iconSize = "icon.size"

    case archivePlain = "archive.plain-http"
    case archiveHead = "archive.head-refused"
    case archiveStatus = "archive.status"
    case archiveCookie = "archive.needs-cookie"
    case archiveRedirect = "archive.redirect"
    case archiveLength = "archive.length"
    case archiveType = "archive.type"
    case archiveEncoded = "archive.encoded"
    case archiveNoRanges = "archive.no-ranges"
    case archiveWrongRange = "archive.wrong-range"
    case archiveNoTag = "archive.no-etag"
    case archiveChanged = "archive.changed"
    case archiveCutShort = "archive.cut-short"
    case archiveUnwritable = "archive.unwritable"

    case digestMismatch = "digests.mismatch"
    case digestsUnchecked = "digests.unchecked"

    case archiveUnreadable = "identity.unreadable"
    case identifierDiffers = "identity.bundle-identifier"
    case versionDiffers = "identity.version"
    case systemTooOld = "compatibility.minimum-os"
    case wrongFamily = "compatibility.family"
    case profileMissing = "profile.missing"
    case deviceMissing = "profile.device-missing"

    case codeFormMissing = "code.form-missing"
    case codeRefused = "code.refused"
    case profileLinkMissing = "enrolment.link-missing"
    case enrolmentStatus = "enrolment.status"
    case enrolmentType = "enrolment.type"
    case enrolmentUnreadable = "enrolment.unreadable"
    case enrolmentForged = "enrolment.signature"
    case enrolmentKind = "enrolment.payload-type"
    case enrolmentIncomplete = "enrolment.incomplete"
    case enrolmentPlain = "enrolment.plain-http"
    case enrolmentCurious = "enrolment.asks-too-much"
    case answerUnsigned = "answer.unsigned"
    case answerRefused = "answer.refused"
    case answerNotMoved = "answer.not-301"
    case answerLocation = "answer.location"
    case answerIdentifier = "answer.identifier-in-address"
    case answerCookie = "answer.sets-cookie"
}
