import Foundation
import TestSupport
import Testing

/// Archives as Xcode Cloud does, and runs the scripts of `xcode-cloud/ci_scripts` before and after.
struct XcodeCloudJob {
    let room: RecipeRoom

    func run(_ push: RecipeRoom.Push) async throws -> JobRun {
        let workspace = try room.workspace("xcode-cloud")
        let commit = try await room.commit(of: push)
        try await room.checkOut(
            push,
            fetching: ["--no-tags", "--depth=1", "REMOTE", "+\(commit):\(push.reference)"],
            in: workspace,
        )
        try await TestRepository.git(["config", "remote.origin.url", room.remote], in: workspace)
        let exported = try room.workspace("xcode-cloud-exported")
        var variables = room.macVariables.merging([
            "CI": "TRUE", "CI_XCODE_CLOUD": "TRUE", "CI_XCODEBUILD_ACTION": "archive",
            "CI_PRIMARY_REPOSITORY_PATH": workspace.path(), "CI_COMMIT": commit,
            "CI_BUILD_NUMBER": "4711", "CI_WORKFLOW": "Testers",
            "OTA_SERVER": room.base, "OTA_TOKEN": room.token,
        ]) { $1 }
        variables["OTA_CA_FILE"] = room.variables["OTA_CA_FILE"]
        switch push {
        case .tag(let name): variables["CI_TAG"] = name
        case .branch(let name): variables["CI_BRANCH"] = name
        }
        var log = ""
        var status = try await script("ci_pre_xcodebuild.sh", variables, in: workspace, &log)
        guard status == 0 else { return JobRun(status: status, log: log) }
        // Xcode Cloud's own commands do not accept build settings, and use its own build number.
        let archiving = """
            set -e
            xcodebuild archive -scheme App -destination generic/platform=iOS \\
              -archivePath "$HOME/cloud.xcarchive" CURRENT_PROJECT_VERSION="$CI_BUILD_NUMBER"
            xcodebuild -exportArchive -archivePath "$HOME/cloud.xcarchive" \\
              -exportPath '\(exported.path())' -exportOptionsPlist ExportOptions.plist
            """
        let built = try await room.run(["sh", "-c", archiving], variables, in: workspace)
        log += built.output + built.errors
        variables["CI_XCODEBUILD_EXIT_CODE"] = String(built.status)
        variables["CI_AD_HOC_SIGNED_APP_PATH"] = exported.path().trimmingSuffix("/")
        status = try await script("ci_post_xcodebuild.sh", variables, in: workspace, &log)
        let link = log.firstMatch(of: /install it from (https:\S+)/).map { String($0.1) }
        return JobRun(status: built.status == 0 ? status : built.status, log: log, link: link)
    }

    private func script(
        _ name: String,
        _ variables: [String: String],
        in workspace: URL,
        _ log: inout String,
    ) async throws -> Int32 {
        let file = RecipeRoom.recipes.appending(path: "xcode-cloud/ci_scripts/\(name)")
        let place = try room.workspace("xcode-cloud/ci_scripts")
        let outcome = try await room.run([file.path()], variables, in: place)
        log += outcome.output + outcome.errors
        return outcome.status
    }
}
