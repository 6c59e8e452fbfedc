import Foundation
import Identifiers
import Runners
import Testing

/// Example runners and stages.
enum RunnerExamples {
    static let now = Date(timeIntervalSince1970: 1_795_000_000)
    static let machine = RunnerMachine(
        system: "macOS 26.1 (arm64)",
        python: "3.9.6",
        agent: String(repeating: "a", count: 64),
        xcodes: ["26.1 (17B55)"],
        freeBytes: 1 << 40,
    )

    static func slug(_ text: String) throws -> Slug { try #require(Slug(text)) }

    static func labels(_ texts: String...) throws -> [RunnerLabel] {
        try texts.map { try #require(RunnerLabel($0)) }
    }

    static func stage(
        _ build: Int = 1,
        of mirror: String = "demo",
        wanting labels: [RunnerLabel] = [],
        offered: Date = now,
    ) throws -> RunnerStage {
        RunnerStage(
            mirror: try slug(mirror),
            build: build,
            commit: String(repeating: "c", count: 40),
            subject: "v1.2.3",
            labels: labels,
            steps: [
                .init(index: 0, name: "Archive", run: "xcodebuild", environment: [:]),
                .init(index: 1, name: "Test", run: "xcodebuild test", environment: [:]),
            ],
            environment: ["CI": "true"],
            usesSecrets: false,
            artifacts: ["build/*.ipa"],
            limits: .init(seconds: 60, logBytes: 1000, fileBytes: 1000, diskBytes: 100_000),
            hasFiles: false,
            logStart: 0,
            at: offered,
        )
    }

    /// Bytes that differ in each call, and are the same in each run.
    final class Bytes {
        private var next: UInt8 = 0

        func give(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in
                next &+= 37
                return next
            }
        }
    }
}
