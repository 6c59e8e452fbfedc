import Bundles
import CodeSignature
import PropertyLists

/// Finds flaws that do not prevent installation but should not reach testers.
enum LintRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        transportSecurity(in: input) + developmentCode(in: input)
            + developmentAddresses(in: input) + purposes(in: input)
            + schemes(of: input.application, claims: input.claims(of: input.application))
            + launchScreen(of: input.application)
    }

    /// At most this many places of one kind get findings of their own.
    static let placeLimit = 5

    /// Without a launch screen, iOS treats the app as one from before its screen size existed.
    ///
    /// "Specifying your app's launch screen" (Xcode); any of the older keys will do.
    private static func launchScreen(of application: AppBundle) -> [Finding] {
        let info = application.info.values
        let keys = info.dictionary?.keys.map { $0.prefix { $0 != "~" } } ?? []
        guard Set(keys).isDisjoint(with: launchKeys),
            !shellKeys.contains(where: { info[$0]?.boolean == true })
        else { return [] }
        return [
            Rule.launchScreenMissing.finding(
                "Info.plist names no launch screen (UILaunchScreen or UILaunchStoryboardName), so "
                    + "the app runs letterboxed on current devices.",
                at: application.infoPlace,
            )
        ]
    }

    private static let launchKeys: Set<Substring> = [
        "UILaunchScreen", "UILaunchScreens", "UILaunchStoryboardName", "UILaunchStoryboards",
        "UILaunchImages", "UILaunchImageFile",
    ]
    /// Apps without a screen: containers of a watch app or of Messages extensions.
    private static let shellKeys = ["ITSWatchOnlyContainer", "LSApplicationLaunchProhibited"]
}

extension InspectionInput {
    /// The audience for which the app was signed.
    enum Audience {
        /// A debugger may attach: the build is for developers.
        case developers
        case testers
        /// Neither the code nor a profile says for whom.
        case unknown
    }

    var audience: Audience {
        if let isDebugged = claims(of: application)?["get-task-allow"]?.boolean {
            return isDebugged ? .developers : .testers
        }
        guard let profile = profile(of: application).profile else { return .unknown }
        return profile.kind == .development ? .developers : .testers
    }
}

extension Rule {
    static let lint =
        [launchScreenMissing] + transportSecurity + development + purposes + schemes

    fileprivate static let launchScreenMissing = Rule(
        "lint.launch-screen-missing",
        .warns,
        "The app has no launch screen",
        fix: "Add UILaunchScreen to the target's Info.plist, or name a storyboard in "
            + "UILaunchStoryboardName, and build again.",
    )
}
