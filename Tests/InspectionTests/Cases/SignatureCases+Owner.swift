import Cryptography
import Foundation
import Inspection
import MachOFormat
import PropertyLists
import Sample
import Signing

extension RuleCase {
    private static let program = "/Example"
    private static let kit = "/Frameworks/Kit.framework/Kit"

    static let signatureOwner: [RuleCase] = [
        RuleCase("signature.certificate-not-in-profile", at: program) {
            let other = try $0.authority.identity(
                .distribution,
                from: GoodBuild.signing,
                until: GoodBuild.now.addingDays(300),
            )
            return $0.signing { $0.identity = other }
        },
        RuleCase("signature.certificate-not-in-profile", at: kit) {
            let other = try $0.authority.identity(
                .distribution,
                from: GoodBuild.signing,
                until: GoodBuild.now.addingDays(300),
            )
            return $0.nesting(.framework("Kit")) { $0.signing.identity = other }
        },
        RuleCase("signature.team-differs", at: program) {
            let other = try $0.authority.otherTeam(at: GoodBuild.now)
            return $0.signing { $0.identity = other }
        },
        RuleCase("signature.team-differs", at: kit) {
            let other = try $0.authority.otherTeam(at: GoodBuild.now)
            return $0.nesting(.framework("Kit")) { $0.signing.identity = other }
        },
        RuleCase("signature.team-differs", at: program) {
            $0.signing { $0.team = DevelopmentTeam.other.identifier }
        },
        RuleCase("signature.team-differs", at: kit) {
            $0.nesting(.framework("Kit")) {
                $0.signing.team = DevelopmentTeam.other.identifier
            }
        },
        RuleCase("signature.identifier-differs", at: program) {
            $0.signing { $0.identifier = "com.example.other" }
        },
        RuleCase("signature.identifier-differs", .warns, at: kit) {
            $0.nesting(.framework("Kit")) { $0.signing.identifier = "com.example.other" }
        },
        RuleCase("signature.no-der-entitlements", at: program) {
            $0.signing { $0.includesDEREntitlements = false }
        },
        RuleCase("signature.no-der-entitlements", .warns, at: program) {
            $0.minimumOS("14.0").signing { $0.includesDEREntitlements = false }
        },
        RuleCase("signature.old-form", at: program) { $0.signing { $0.version = 0x20300 } },
        RuleCase("signature.old-form", at: program) { $0.signing { $0.version = 0x20200 } },
        RuleCase("signature.old-form", at: program) { $0.signing { $0.version = 0x20100 } },
        RuleCase("signature.old-form", at: "/PlugIns/W.appex/W") {
            $0.nesting(.widget("W")) { $0.signing.version = 0x20300 }
        },
        RuleCase("signature.old-form", .warns, at: program) {
            $0.minimumOS("14.0").signing { $0.version = 0x20300 }
        },
        RuleCase("signature.old-form", .warns, at: kit) {
            $0.nesting(.framework("Kit")) { $0.signing.version = 0x20300 }
        },
        RuleCase("signature.old-form", .warns, at: program) {
            $0.signing { $0.hashes = [.sha1] }
        },
    ]
}
