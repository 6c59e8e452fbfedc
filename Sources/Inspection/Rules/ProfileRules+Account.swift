import Bundles
import Bytes

/// Checks what Apple or the account can change about the profile later.
extension ProfileRules {
    static func account(of profile: ProvisioningProfile, in bundle: AppBundle) -> [Finding] {
        guard bundle.kind == .application else { return [] }
        var findings: [Finding] = []
        if profile.isOfFreeAccount {
            findings.append(
                Rule.freeAccount.finding(
                    "The profile \(quoted: profile.name) is from an account without a membership "
                        + "(LocalProvision): a device accepts three of its apps, for seven days.",
                    at: bundle.profilePlace,
                )
            )
        }
        if profile.isCheckedOnline {
            findings.append(
                Rule.onlineCheck.finding(
                    "The profile \(quoted: profile.name) asks for a check by Apple (PPQCheck): "
                        + "without the internet the app may not install or open, though Apple's "
                        + "documents do not say.",
                    at: bundle.profilePlace,
                )
            )
        }
        return findings
    }
}
