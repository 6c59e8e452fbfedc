import Bundles
import Foundation
import Identifiers
import Inspection
import Pages
import Releases
import Testing

/// The install page as a device sees it.
extension ExamplePages {
    /// A device that is in the build's profile.
    static let listed = DeviceUDID("00008120-0000000000000010")
    static let unlisted = DeviceUDID("00008120-0000000000000099")

    /// A device of Ana's; `joined` is in days before now, and the build is two days old.
    func device(
        _ udid: DeviceUDID?,
        model: String = "iPhone15,2",
        os: OSVersion? = OSVersion(major: 18, minor: 1),
        state: Device.State = .approved,
        joined: Double = 10,
    ) throws -> Device {
        var register = DeviceRegister()
        let udid = try #require(udid)
        try register.enrol(
            Newcomer(
                udid: udid,
                name: word("Ana’s iPhone"),
                model: model,
                os: os,
                invited: Self.now - (joined + 1) * 86_400,
                by: "ada",
            ),
            at: Self.now - joined * 86_400,
        )
        if state != .enrolled { try register.approve(udid, at: Self.now - 3600, by: "ada") }
        if state == .registered { try register.markRegistered(udid, at: Self.now, by: "ada") }
        if state == .disabled { try register.disable(udid, at: Self.now, by: "ada") }
        return try #require(register[udid])
    }

    /// The page for a device.
    func install(
        for device: Device,
        seenOS: OSVersion? = nil,
        lastTry: InstallAttempt? = nil,
        fetched: Int? = nil,
        steps: DeviceSteps? = nil,
    ) throws -> InstallPage {
        var pages = self
        pages.audience = .device(
            InstallPage.TesterDevice(
                device,
                seenOS: seenOS,
                lastTry: lastTry,
                fetched: fetched,
                steps: steps,
            )
        )
        return try pages.install()
    }

    /// The page for a device that the server does not know.
    func installForUnknown() throws -> InstallPage {
        var pages = self
        pages.audience = .unknownDevice(enrolURL: "enrol.html")
        return try pages.install()
    }

    func attempt(_ outcome: InstallAttempt.Outcome) throws -> InstallAttempt {
        let release = try release()
        return InstallAttempt(
            app: release.bundleIdentifier,
            release: release.identifier,
            device: "0123456789abcdef01234567",
            began: Self.now - 400,
            ended: Self.now - 300,
            outcome: outcome,
            sent: outcome == .cutShort ? 9_100_000 : outcome == .downloaded ? release.size : 0,
        )
    }

    func passphrase(isWrong: Bool = false) -> PassphrasePage {
        PassphrasePage(
            name: word("Browsey"),
            iconURL: icon,
            formCode: "0123abcd",
            problem: isWrong
                ? PageProblem(
                    id: "passphrase.wrong",
                    message: "Wrong passphrase.",
                    fix: "Ask your team for the current one.",
                ) : nil,
            chrome: chrome,
        )
    }

    func testerSignIn(
        _ reason: TesterSignInPage.Reason,
        provider: String? = "Example ID",
    )
        -> TesterSignInPage
    {
        TesterSignInPage(
            reason,
            provider: provider.map(word),
            signInURL: "/sign-in/testers?to=%2Fapps%2Fbrowsey",
            chrome: chrome,
        )
    }

    func testerRefusal() -> TesterSignInPage.Reason {
        .refused(
            PageProblem(
                id: "sign-in.no-tester",
                message: chrome.words.text("signin.refused.no-tester"),
                fix: chrome.words.text("signin.refused.no-tester.fix"),
            )
        )
    }

    func members(_ device: Device?, way: DeviceSteps? = nil) -> MembersPage {
        MembersPage(
            name: word("Browsey"),
            iconURL: icon,
            device: device,
            way: way,
            enrolURL: "enrol.html",
            eventsURL: "/events?app=browsey",
            chrome: chrome,
        )
    }

    func guide() throws -> GuidePage {
        GuidePage(GuideTexts(try Assets()), startURL: "start.html", chrome: chrome)
    }

    /// Every page that is for a single device, or about access, by file name.
    func personal() throws -> [String: String] {
        let ready = try device(Self.listed)
        let missing = try device(Self.unlisted, joined: 1)
        let waiting = try device(Self.unlisted, state: .enrolled, joined: 1)
        let old = try device(Self.listed, os: OSVersion(major: 15, minor: 2))
        let both = try device(Self.unlisted, os: OSVersion(major: 15, minor: 2))
        let watch = try device(Self.listed, model: "Watch7,1", os: nil)
        let disabled = try device(Self.listed, state: .disabled)
        let pages = [
            "unknown.html": try html(installForUnknown()),
            "ready.html": try html(install(for: ready)),
            "missing.html": try html(install(for: missing)),
            "missing-long.html": try html(install(for: device(Self.unlisted, joined: 5))),
            "waiting.html": try html(install(for: waiting)),
            "old.html": try html(install(for: old)),
            "old-and-missing.html": try html(install(for: both)),
            "family.html": try html(install(for: watch)),
            "disabled.html": try html(install(for: disabled)),
            "progress.html": try html(install(for: ready, fetched: 11_165_548)),
            "try-manifest.html": try html(install(for: ready, lastTry: attempt(.manifestOnly))),
            "try-cut.html": try html(install(for: ready, lastTry: attempt(.cutShort))),
            "try-whole.html": try html(install(for: ready, lastTry: attempt(.downloaded))),
            "passphrase.html": try html(passphrase()),
            "passphrase-wrong.html": try html(passphrase(isWrong: true)),
            "tester-sign-in.html": try html(
                testerSignIn(.app(name: word("Browsey"), iconURL: icon))
            ),
            "tester-sign-in-none.html": try html(
                testerSignIn(.app(name: word("Browsey"), iconURL: nil), provider: nil)
            ),
            "tester-nothing.html": try html(testerSignIn(.nothing)),
            "tester-refused.html": try html(testerSignIn(testerRefusal())),
            "members.html": try html(members(nil)),
            "members-waiting.html": try html(members(waiting)),
            "members-disabled.html": try html(members(disabled)),
            "guide.html": try html(guide()),
        ]
        return try pages.merging(steppedPages()) { $1 }
    }
}
