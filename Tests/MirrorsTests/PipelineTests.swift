import Identifiers
import Mirrors
import Releases
import TestSupport
import Testing

@Suite struct PipelineTests {
    @Test func `a pipeline says all that it may say`() throws {
        let pipeline = try Pipeline(
            yaml: """
                name: BrowserSelector
                requires: ios
                timeout: 45m
                env: {CONFIGURATION: Release, EMPTY: ""}
                steps:
                  - name: Build
                    run: |
                      make && make test
                      echo *.o
                    working-directory: ios/App
                    timeout: 30m
                    env:
                      SCHEME: App
                  - run: make archive
                    if: [tag, manual]
                artifacts:
                  - build/*.ipa
                  - path: "**/*.xcarchive"
                    ifMissing: ignore
                    if: tag
                publish:
                  tag: auto
                  branch: nightly
                  manual: none
                  otherVersion: allow
                """
        )
        #expect(pipeline.name == "BrowserSelector" && pipeline.requires == ["ios"])
        #expect(pipeline.timeout == 2700)
        #expect(pipeline.environment == ["CONFIGURATION": "Release", "EMPTY": ""])
        #expect(pipeline.steps.map(\.name) == ["Build", "make archive"])
        #expect(pipeline.steps.map(\.conditions) == [[.always], [.tag, .manual]])
        #expect(pipeline.steps[0].run == "make && make test\necho *.o\n")
        #expect(pipeline.steps[0].timeout == 1800)
        #expect(pipeline.artifacts.map(\.path) == ["build/*.ipa", "**/*.xcarchive"])
        #expect(pipeline.artifacts.map(\.ifMissing) == [.warn, .ignore])
        #expect(pipeline.publish.branch == ChannelName("nightly").map { .channel($0) })
        #expect(pipeline.publish.manual == .nowhere && pipeline.publish.allowsOtherVersion)
    }

    @Test func `an artifact names what an unsigned app and the bundles in it claim`() throws {
        let pipeline = try Pipeline(
            yaml: """
                steps: [run: make]
                artifacts:
                  - path: build/App.xcarchive
                    entitlements: App/App.entitlements
                  - path: build/Forks.xcarchive
                    entitlements:
                      com.example.forks: Forks/Forks.entitlements
                      com.example.forks.widget: Widget/Widget.entitlements
                """
        )
        #expect(pipeline.artifacts[0].entitlements == "App/App.entitlements")
        #expect(pipeline.artifacts[0].nestedEntitlements.isEmpty)
        #expect(pipeline.artifacts[1].entitlements == nil)
        #expect(
            pipeline.artifacts[1].nestedEntitlements == [
                "com.example.forks": "Forks/Forks.entitlements",
                "com.example.forks.widget": "Widget/Widget.entitlements",
            ]
        )
    }

    @Test(arguments: ["../secrets.plist", "/etc/passwd", "{no/identifier: a}", "[a, b]"])
    func `entitlements are files of the checkout`(value: String) {
        #expect(throws: PipelineFlaw.self) {
            try Pipeline(
                yaml: "steps: [run: make]\nartifacts: [{path: a.ipa, entitlements: \(value)}]"
            )
        }
    }

    @Test(arguments: [
        ("", "the pipeline is not valid: it is empty"),
        ("steps: []", "the pipeline is not valid at line 1, column 8: it has no steps"),
        (
            "stpes: []",
            "the pipeline is not valid at line 1, column 1: “stpes” is not a known key; allowed "
                + "here: artifacts, env, name, publish, requires, runs-on, steps, timeout",
        ),
        (
            "steps:\n  - run: make\n    timeuot: 5m",
            "the pipeline is not valid at line 3, column 5: “timeuot” is not a known key; allowed "
                + "here: env, if, name, run, runs-on, timeout, working-directory",
        ),
        (
            "steps:\n  - name: A",
            "the pipeline is not valid at line 2, column 5: steps[1] has no run",
        ),
        (
            "steps:\n  - run: make\n    if: sometimes",
            "the pipeline is not valid at line 3, column 9: steps[1].if is “sometimes”, but must "
                + "be one of always, tag, manual",
        ),
        (
            "steps:\n  - run: make\n    timeout: 5",
            "the pipeline is not valid at line 3, column 14: steps[1].timeout must be a time such "
                + "as 90s, 30m or 2h, at most 24h",
        ),
        (
            "steps:\n  - run: make\n    working-directory: ../..",
            "the pipeline is not valid at line 3, column 24: steps[1].working-directory is "
                + "“../..”, but must be a path inside the checkout",
        ),
        (
            "steps:\n  - run: make\n    working-directory: ../\u{301}x",
            "the pipeline is not valid at line 3, column 24: steps[1].working-directory is "
                + "“../\u{301}x”, but must be a path inside the checkout",
        ),
        (
            "env: {TAG: v9}\nsteps: [{run: make}]",
            "the pipeline is not valid at line 1, column 7: the variable TAG is set by ota",
        ),
        (
            "env: {OTA_STORE: x}\nsteps: [{run: make}]",
            "the pipeline is not valid at line 1, column 7: the variable OTA_STORE is set by ota",
        ),
        (
            "env: {\"A=B\": x}\nsteps: [{run: make}]",
            "the pipeline is not valid at line 1, column 7: env has an invalid variable name: use "
                + "letters, digits and _",
        ),
        (
            "steps: [{run: make}]\npublish: {tag: \"No Channel\"}",
            "the pipeline is not valid at line 2, column 16: publish.tag must be auto, none or "
                + "the name of a channel",
        ),
        (
            "steps: [{run: make}]\nartifacts: [/etc/passwd]",
            "the pipeline is not valid at line 2, column 13: artifacts[1] is “/etc/passwd”, but "
                + "must be a path inside the checkout",
        ),
        (
            "runs-on: Mac\nsteps: [{run: make}]",
            "the pipeline is not valid at line 1, column 10: runs-on is “Mac”, but must be server "
                + "or a label: ",
        ),
        (
            "steps:\n  - run: make\n    runs-on: [mac, server]",
            "the pipeline is not valid at line 3, column 20: steps[1].runs-on must be server, for "
                + "the server itself, or labels of a runner",
        ),
        (
            "steps: [{run: make, runs-on: []}]",
            "the pipeline is not valid at line 1, column 30: steps[1].runs-on is empty",
        ),
        ("- run: make", "the pipeline is not valid at line 1, column 1:  must be a mapping"),
    ])
    func `whatever is wrong is said with its place`(yaml: String, message: String) {
        #expect {
            _ = try Pipeline(yaml: yaml)
        } throws: { error in
            "\(error)".hasPrefix(message)
        }
    }

    @Test func `steps in a row that run in one place are a stretch, whatever is skipped between`()
        throws
    {
        let pipeline = try Pipeline(
            yaml: """
                runs-on: [mac, xcode-26, mac]
                steps:
                  - run: xcodebuild build
                  - run: make on-server
                    runs-on: server
                    if: tag
                  - run: xcodebuild archive
                  - run: make release
                    runs-on: server
                  - run: make mac
                    runs-on: mac
                """
        )
        let labels = try ["mac", "xcode-26"].map { try #require(RunnerLabel($0)) }
        let mac = Pipeline.Place.runner(labels)
        let last = Pipeline.Place.runner([labels[0]])
        #expect(pipeline.steps.map(\.place) == [mac, .server, mac, .server, last])
        let all = pipeline.stretches { _ in true }
        #expect(all.map(\.steps) == [[0], [1], [2], [3], [4]])
        #expect(all.map(\.labels) == [labels, nil, labels, nil, [labels[0]]])
        let untagged = pipeline.stretches { $0.conditions.contains(.always) }
        #expect(untagged.map(\.steps) == [[0, 2], [3], [4]])
        #expect(pipeline.stretches { _ in false }.isEmpty)
    }

    /// Each is refused or read at once, since everyone who may push can write a pipeline.
    @Test func `no pipeline of a hostile repository hangs or ends the reader`() {
        var bomb = "a: &a0 [x,x,x,x,x,x,x,x]\n"
        for level in 1..<30 {
            let alias = "*a\(level - 1)"
            bomb +=
                "b\(level): &a\(level) "
                + "[\(Array(repeating: alias, count: 8).joined(separator: ","))]\n"
        }
        let hostile = [
            bomb, bomb + "? *a29\n: x\n", String(repeating: "[", count: 60_000),
            String(repeating: "{a: ", count: 15_000), String(repeating: "- ", count: 30_000),
            "steps: &s [{run: *s}]", "steps:\n" + String(repeating: "  - run: a\n", count: 5000),
            "steps: [{run: \"\0\"}]", "<<: *x", "steps: !!python/object:os.system [make]",
            String(repeating: "a", count: 1 << 20), "%YAML 9.9\n---\nsteps: [{run: a}]",
            "steps: [{run: a}]\n---\nsteps: [{run: b}]", "\u{FEFF}", "steps: [{run: a}]\nsteps: []",
        ]
        for yaml in hostile {
            #expect(throws: PipelineFlaw.self) { try Pipeline(yaml: yaml) }
        }
        let good = "requires: [ios]\nsteps:\n  - name: A\n    run: make\n    if: tag\n"
        for count in 0..<good.utf8.count {
            _ = try? Pipeline(yaml: String(good.prefix(count)))
        }
        for yaml in hostile.filter({ $0.utf8.count < 1000 }) + [good] {
            let flips = SeededDamage.flips(
                of: Array(yaml.utf8),
                count: TestDepth.samples(50, long: 50_000),
                seed: 16,
            )
            for damaged in flips {
                _ = try? Pipeline(yaml: String(decoding: damaged, as: UTF8.self))
            }
        }
    }
}
