import Bytes
package import Cryptography
package import Foundation
import Identifiers
package import Inspection
package import Releases

/// One release for admins: its properties, its findings, and which devices can or did install it.
package struct ReleasePage: AdminPage {
    package let admin: AdminChrome
    let appName: String
    let appURL: String
    let iconURL: String
    let name: String
    let version: String
    let build: String
    let chips: [Chip]
    let withdrawal: String?
    let work: ReleaseWork?
    let summary: Summary?
    let coverage: Coverage?
    let findings: [FindingRow]
    let hasNoFindings: Bool
    let facts: [InstallPage.Fact]
    let signings: [SigningRow]
    let hasSignings: Bool
    let origin: OriginCard
    let bundles: [BundleCard]
    let notes: String?
    let installs: [InstallRow]
    let installCount: String?
    let publicURL: String
    let code: String?
    let actions: ReleaseActions?
    let symbols: SymbolsCard
    let history: ReleaseHistory?

    /// - Parameters:
    ///   - subject: the release, its app and its report.
    ///   - register: the devices that can install it, and its install attempts.
    ///   - links: the targets of the page's links.
    ///   - actions: nil for users with read access.
    ///   - symbols: its dSYMs.
    ///   - history: the release among the other builds of its app.
    ///   - date: the current time.
    ///   - admin: the page's header and navigation.
    package init(
        subject: Subject,
        register: Register,
        links: Links,
        actions: ReleaseActions?,
        symbols: SymbolsCard,
        history: ReleaseHistory? = nil,
        at date: Date,
        admin: AdminChrome,
    ) {
        let release = subject.release
        let report = subject.report
        let judged = report.verdict(at: date)
        self.admin = admin
        appName = subject.app.title
        appURL = links.app
        iconURL = links.icon
        name = subject.app.title
        version = release.version
        build = release.build
        chips =
            Chip.channels(of: subject.app, offering: release.identifier)
            + Chip.state(of: release, at: date) + Chip.pin(of: release)
        withdrawal = release.withdrawal.map {
            "\($0.actor) withdrew it on \(Wording.day($0.date))"
                + ($0.reason.isEmpty ? "." : ": \($0.reason)")
        }
        work = subject.work
        signings = SigningRow.rows(of: release, reaching: subject.reach)
        hasSignings = !signings.isEmpty
        summary =
            release.withdrawal == nil
            ? Summary(judged, expiry: report.expiries.first?.sentence(at: date)) : nil
        coverage = Coverage(register, url: links.admin.devices)
        findings = FindingRow.rows(of: judged.findings)
        hasNoFindings = findings.isEmpty
        facts = ReleaseFacts.facts(of: release, titled: subject.app.title, report: report)
        origin = OriginCard(of: release, links: links.admin)
        bundles = BundleCard.cards(of: report, at: date)
        notes = release.notes.isEmpty ? nil : ReleaseNotes.section(release.notes)
        installs = register.attempts.map { InstallRow($0, at: date) }
        installCount =
            register.attemptTotal > register.attempts.count
            ? "The latest \(register.attempts.count) of \(register.attemptTotal.grouped) in 90 days."
            : nil
        publicURL = links.shown
        code = links.code
        self.actions = actions
        self.symbols = symbols
        self.history = history
    }

    package struct Subject: Sendable {
        package let app: AppRecord
        package let release: Release
        package let report: InspectionReport
        /// The running or failed signing of the release; nil for none.
        package let work: ReleaseWork?
        /// The devices that its IPAs reach, by the IPAs' digests; at least those of the newest.
        package let reach: [SHA256Digest: SigningReach]

        package init(
            app: AppRecord,
            release: Release,
            report: InspectionReport,
            work: ReleaseWork? = nil,
            reach: [SHA256Digest: SigningReach] = [:],
        ) {
            self.app = app
            self.release = release
            self.report = report
            self.work = work
            self.reach = reach
        }
    }

    /// The register's devices and install attempts that concern the release.
    package struct Register: Sendable {
        /// The most devices shown that cannot install it.
        package static let blockedCount = 5

        /// How many of the devices in use can install it.
        package let canInstall: Int
        /// The number of devices in use.
        package let devices: Int
        /// The first of those that cannot install it; none for a user who may not see names.
        package let blocked: [JudgedDevice]
        /// Newest first.
        package let attempts: [NamedAttempt]
        package let attemptTotal: Int
        /// Whether the user may see the names of devices.
        package let isNamed: Bool

        package init(
            canInstall: Int,
            devices: Int,
            blocked: [JudgedDevice],
            attempts: [NamedAttempt],
            attemptTotal: Int,
            isNamed: Bool,
        ) {
            self.canInstall = canInstall
            self.devices = devices
            self.blocked = blocked
            self.attempts = attempts
            self.attemptTotal = attemptTotal
            self.isNamed = isNamed
        }
    }

    package struct Links: Sendable {
        package let app: String
        package let admin: AdminReleaseLinks
        /// The release's page for testers.
        package let shown: String
        /// The page's QR code as SVG; nil if testers cannot open it.
        package let code: String?
        package let icon: String

        package init(
            app: String,
            admin: AdminReleaseLinks,
            shown: String,
            code: String?,
            icon: String,
        ) {
            self.app = app
            self.admin = admin
            self.icon = icon
            self.shown = shown
            self.code = code
        }
    }

    /// The verdict, shown before all details.
    struct Summary: Sendable {
        let tone: String
        let heading: String
        let expiry: String?

        init(_ judged: DeviceVerdict, expiry: String?) {
            self.expiry = expiry
            let blocking = judged.findings.filter(\.blocksEveryDevice).count
            let warnings = judged.findings.count { $0.severity == .warns }
            switch judged.verdict {
            case .blocked:
                tone = "bad"
                heading =
                    "Cannot be installed: " + Wording.count(blocking, "blocking issue")
            case .installs, .unknown:
                tone = warnings == 0 ? "good" : "warn"
                let who =
                    judged.verdict == .installs
                    ? "Installs on every device" : "Installs on the devices that it includes"
                heading = who + (warnings == 0 ? "" : ", " + Wording.count(warnings, "warning"))
            }
        }
    }

    /// How many of the register's devices can install it.
    struct Coverage: Sendable {
        let sentence: String
        /// Nil for users who may not see names.
        let allURL: String?
        let blocked: [DeviceRow]
        let bar: ShareBar

        init?(_ register: Register, url: String) {
            guard register.devices > 0 else { return nil }
            sentence = JudgedDevice.sentence(register.canInstall, of: register.devices) + "."
            allURL = register.isNamed ? url : nil
            blocked =
                register.isNamed
                ? register.blocked.prefix(Register.blockedCount).map(DeviceRow.init) : []
            bar = ShareBar(register.canInstall, of: register.devices, label: sentence)
        }
    }

    struct InstallRow: Sendable {
        let who: String
        let deviceURL: String?
        let outcome: Chip
        let sentence: String
        let when: String

        init(_ entry: NamedAttempt, at date: Date) {
            who = entry.device?.name ?? "A device"
            deviceURL = entry.device?.url
            outcome = Chip(entry.attempt.outcome)
            sentence = entry.attempt.sentence
            when = Wording.moment(entry.attempt.ended)
        }
    }
}

/// A device and its verdict, as a row of a table.
struct DeviceRow: Sendable {
    let name: String
    let kind: String
    let deviceURL: String
    let verdict: Chip
    let why: String
    let reasons: [JudgedDevice.Reason]
    let hasReasons: Bool

    init(_ entry: JudgedDevice) {
        name = entry.device.name
        kind = entry.device.kind
        deviceURL = entry.url
        verdict = Chip(entry.judged.verdict)
        (why, reasons) = entry.why
        hasReasons = !reasons.isEmpty
    }
}

/// An install attempt, with the device of its reference.
package struct NamedAttempt: Sendable {
    package let attempt: InstallAttempt
    package let device: (name: String, url: String)?

    package init(attempt: InstallAttempt, device: (name: String, url: String)?) {
        self.attempt = attempt
        self.device = device
    }
}
