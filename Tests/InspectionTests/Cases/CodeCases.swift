import Inspection
import Sample

extension RuleCase {
    static let code: [RuleCase] = programs + libraries

    private static let program = "/Example"
    private static let kit = "/Frameworks/Kit.framework/Kit"

    private static let programs: [RuleCase] = [
        RuleCase("code.malformed", at: program) {
            $0.afterSigning { try $0.replace("Example", with: Array("#!/bin/sh".utf8)) }
        },
        RuleCase("code.malformed", at: kit) {
            $0.nesting(.framework("Kit")).afterSigning {
                try $0.flip("Frameworks/Kit.framework/Kit", at: 0)
            }
        },
        RuleCase("code.not-a-program", .warns, at: program) {
            $0.editing { $0.app.adjustExecutable = { $0.kind = .dynamicLibrary } }
        },
        RuleCase("code.not-a-program", .warns, at: "/PlugIns/W.appex/W") {
            $0.nesting(.widget("W")) { $0.adjustExecutable = { $0.kind = .dynamicLibrary } }
        },
        RuleCase("code.encrypted", at: program) {
            $0.editing { $0.app.adjustExecutable = { $0.encryption = 1 } }
        },
        RuleCase("code.no-device-slice", at: program) {
            $0.editing { $0.app.architectures = [.x86_64] }
        },
        RuleCase("code.no-device-slice", at: program) {
            $0.editing { $0.app.architectures = [.armv7] }
        },
        RuleCase("code.no-device-slice", .warns, at: program) {
            $0.minimumOS("9.0").editing { $0.app.architectures = [.armv7] }
        },
        RuleCase("code.no-device-slice", at: "/PlugIns/W.appex/W") {
            $0.nesting(.widget("W")) { $0.architectures = [.armv7] }
        },
        RuleCase("code.wrong-platform", at: program) {
            $0.editing { $0.app.adjustExecutable = { $0.platform = .iOSSimulator } }
        },
        RuleCase("code.wrong-platform", at: program) {
            $0.editing { $0.app.adjustExecutable = { $0.platform = .macCatalyst } }
        },
        RuleCase("code.wrong-platform", at: "/Watch/Watch.app/Watch") {
            $0.nesting(watchApp) { $0.platform = .iOS }
        },
        RuleCase("code.no-device-slice", at: "/Watch/Watch.app/Watch") {
            $0.nesting(watchApp) { $0.architectures = [.armv7] }
        },
        RuleCase("code.late-processor", .warns, at: program) {
            $0.editing { $0.app.architectures = [.arm64e] }
        },
        RuleCase("code.late-processor", .warns, at: program) {
            $0.editing { $0.app.architectures = [.arm64eX1] }
        },
        RuleCase("code.foreign-slice", .warns, at: program) {
            $0.editing {
                $0.app.architectures = [.arm64, .x86_64]
                $0.app.adjustExecutable = {
                    if $0.architecture == .x86_64 { $0.platform = .iOSSimulator }
                }
            }
        },
        RuleCase("code.newer-minimum", .warns, at: program) {
            $0.editing { $0.app.adjustExecutable = { $0.minimumOS = "17.0" } }
        },
    ]

    private static let libraries: [RuleCase] = [
        RuleCase("code.library-missing", .warns, at: program) {
            $0.editing {
                $0.app.adjustExecutable = {
                    $0.libraries.append("@rpath/Gone.framework/Gone")
                    $0.runPaths = ["@executable_path/Frameworks"]
                }
            }
        },
        RuleCase("code.library-missing", .warns, at: program) {
            $0.nesting(.framework("Kit")).editing {
                // Linked and embedded, but no run path leads there.
                $0.app.adjustExecutable = { $0.runPaths = [] }
            }
        },
        RuleCase("code.library-unusable", .warns, at: kit) {
            $0.nesting(.framework("Kit")) { $0.architectures = [.x86_64] }
        },
        RuleCase("code.library-unusable", .warns, at: kit) {
            $0.nesting(.framework("Kit")) { $0.platform = .iOSSimulator }
        },
        RuleCase("code.library-unusable", .warns, at: kit) {
            $0.nesting(.framework("Kit")).editing { $0.app.architectures = [.arm64, .arm64e] }
        },
    ]

    private static let watchApp = BundleDraft.watchApplication(
        "Watch",
        identifier: "com.example.app.watch",
        companion: "com.example.app",
    )
}
