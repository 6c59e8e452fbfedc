import Foundation
import MirrorBuilds
import Releases
import TestSupport
import Testing

/// The errors in the log of a build.
struct BuildIssueScanTests {
    private static let checkout = "/Users/ci/builds/7/checkout"

    private static func sentences(_ log: String) -> [String] {
        issues(log).map { "\($0.kind.rawValue) \($0.sentence)" }
    }

    private static func issues(_ log: String) -> [BuildIssue] {
        BuildIssueScan.issues(in: Array(log.utf8), below: [checkout])
    }

    @Test func `a compiler's errors have file and line, once each and below the checkout`() {
        let log = """
            SwiftCompile normal arm64 \(Self.checkout)/ios/App.swift (in target 'App')
            \(Self.checkout)/ios/App.swift:12:5: error: cannot find 'scan' in scope
                scan()
                ^~~~
            \(Self.checkout)/ios/App.swift:12:5: error: cannot find 'scan' in scope
            \(Self.checkout)/ios/App.swift:3:1: warning: 'x' was never used; error: is quoted here
            /elsewhere/Header.m:1:9: fatal error: 'Missing.h' file not found
            \u{1B}[31m\(Self.checkout)/ios/View.swift:7:1: \u{1B}[1merror: \u{1B}[0mexpected '}'\r
            ** ARCHIVE FAILED **
            The following build commands failed:
            \tSwiftCompile normal arm64 \(Self.checkout)/ios/App.swift
            (1 failure)
            """
        #expect(
            Self.sentences(log) == [
                "compile ios/App.swift:12: cannot find 'scan' in scope",
                "compile /elsewhere/Header.m:1: 'Missing.h' file not found",
                "compile ios/View.swift:7: expected '}'",
            ]
        )
    }

    @Test func `the title of a step is no error, whatever its script says`() {
        let log = """
            ── echo "x.swift:3:4: error: quoted"; exit 1
            x.swift:3:4: error: said
            ── error: no, a name
            """
        #expect(Self.sentences(log) == ["compile x.swift:3: said"])
    }

    @Test func `a path on another machine begins below the checkout too`() {
        let log = "/Users/ana/ota/app/7/checkout/App/View.swift:7:1: error: expected '}'\n"
        let issues = BuildIssueScan.issues(in: Array(log.utf8), below: ["/srv/builds/7/checkout"])
        #expect(issues.map(\.place) == ["App/View.swift:7"])
    }

    @Test func `errors of Xcode and of signing are told apart`() {
        let log = """
            xcodebuild: error: The project named "App" does not contain a scheme named "Ap".
            \(Self.checkout)/App.xcodeproj: error: No profiles for 'com.example.app' were found: \
            Xcode couldn't find any iOS App Development provisioning profiles (in target 'App')
            error: "App" requires a provisioning profile. Select a provisioning profile.
            error: Provisioning profile "Ad Hoc" doesn't include the com.apple.developer.siri entitlement.
            No profiles for 'com.example.widget' were found
            error: exportArchive No Team Found in Archive
            """
        let found = Self.issues(log)
        #expect(
            found.map(\.kind) == [.build, .signing, .signing, .signing, .signing, .signing]
        )
        #expect(found[0].file == nil && found[0].message.contains("scheme named"))
        #expect(found[1].file == "App.xcodeproj" && found[1].line == nil)
        #expect(found[4].message == "No profiles for 'com.example.widget' were found")
    }

    @Test func `a linker's error names the symbols, and the driver does not repeat it`() {
        let log = """
            Undefined symbols for architecture arm64:
              "_OBJC_CLASS_$_Scanner", referenced from:
                  objc-class-ref in App.o
              "_torch", referenced from:
                  _main in App.o
            ld: symbol(s) not found for architecture arm64
            clang: error: linker command failed with exit code 1 (use -v to see invocation)
            ld: warning: ignoring file
            """
        #expect(
            Self.sentences(log) == [
                "link symbol(s) not found for architecture arm64: _OBJC_CLASS_$_Scanner, _torch"
            ]
        )
    }

    @Test func `failed tests of XCTest are named once, with the reason`() {
        let log = """
            Test Case '-[AppTests.LoginTests testOut]' started.
            \(Self.checkout)/Tests/LoginTests.swift:10: error: -[AppTests.LoginTests testOut] : \
            XCTAssertEqual failed: ("1") is not equal to ("2")
            Test Case '-[AppTests.LoginTests testOut]' failed (0.003 seconds).
            Test Case '-[AppTests.LoginTests testCrash]' failed (0.001 seconds).
            Test Case '-[AppTests.LoginTests testIn]' passed (0.001 seconds).
            Testing failed:
            \tLoginTests.testOut()
            \tLoginTests.testCrash()
            \tLoginTests.testLost()
            ** TEST FAILED **
            """
        #expect(
            Self.sentences(log) == [
                "test Tests/LoginTests.swift:10: -[AppTests.LoginTests testOut]: "
                    + "XCTAssertEqual failed: (\"1\") is not equal to (\"2\")",
                "test -[AppTests.LoginTests testCrash] failed", "test LoginTests.testLost() failed",
            ]
        )
    }

    @Test func `failed tests of Swift Testing are named once, with the expectation`() {
        let log = """
            ◇ Test "a code is scanned" started.
            ✘ Test "a code is scanned" recorded an issue at ScanTests.swift:10:9: \
            Expectation failed: (1) == (2)
            ✘ Test "a code is scanned" failed after 0.001 seconds with 1 issue.
            ✘ Test scansTwice() failed after 0.002 seconds with 1 issue.
            ✘ Suite ScanTests failed after 0.003 seconds with 2 issues.
            ✘ Test run with 2 tests failed after 0.003 seconds with 2 issues.
            ✔ Test "fails after all" passed after 0.001 seconds.
            Test of something else failed after all
            """
        #expect(
            Self.sentences(log) == [
                "test ScanTests.swift:10: Test \"a code is scanned\": "
                    + "Expectation failed: (1) == (2)",
                "test Test scansTwice() failed",
            ]
        )
    }

    @Test func `what fails without a reason is named with its command`() {
        let log = """
            The following build commands failed:
            \tPhaseScriptExecution Lint (in target 'App' from project 'App')
            ** ARCHIVE FAILED **
            """
        #expect(
            Self.sentences(log) == [
                "build ARCHIVE FAILED: PhaseScriptExecution Lint (in target 'App' from project "
                    + "'App')"
            ]
        )
        #expect(Self.issues("no error: here\n0 errors\n** ARCHIVE SUCCEEDED **").isEmpty)
        #expect(Self.issues("").isEmpty)
    }

    @Test func `pieces of any size say the same, and a log without end keeps little`() {
        let lines = (1...60).map { "\(Self.checkout)/App.swift:\($0):1: error: wrong \($0)" }
        let log = Array((lines.joined(separator: "\n") + "\n").utf8)
        let whole = BuildIssueScan.issues(in: log, below: [Self.checkout])
        #expect(whole.count == BuildIssue.mostOfBuild && whole[0].line == 1)
        for size in [1, 7, 64] {
            var scan = BuildIssueScan(below: [Self.checkout])
            for start in stride(from: 0, to: log.count, by: size) {
                scan.read(log[start..<min(start + size, log.count)])
            }
            #expect(scan.finish() == whole)
        }
        let long = "error: " + String(repeating: "x", count: 1 << 20)
        let message = Self.issues(long)[0].message
        #expect(message.count <= BuildIssue.messageLimit)
    }

    @Test func `damaged and hostile lines are shown escaped, without UDIDs`() throws {
        let udid = "00008030-001C2D2E3F40001E"
        let log = "error: \u{202E}evil\u{7} device \(udid) is not in the profile\n"
        let issue = try #require(Self.issues(log).first)
        #expect(!issue.message.contains("\u{202E}") && !issue.message.contains("\u{7}"))
        #expect(!issue.message.contains(udid))
        // Every prefix, and seeded changes of bytes.
        let sample = Array(
            """
            ✘ Test "a" recorded an issue at A.swift:10:9: b
            /a.swift:1:2: error: -[A b] : c
            Test Case '-[A.B c]' failed (0.1 seconds).
            Undefined symbols for architecture arm64:
              "_a", referenced from:
            ld: b
            ** TEST FAILED **
            """.utf8
        )
        for end in sample.indices { _ = BuildIssueScan.issues(in: Array(sample[..<end])) }
        var state: UInt64 = 1
        for _ in 0..<2000 {
            var damaged = sample
            for _ in 0..<3 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                damaged[Int(state >> 33) % damaged.count] = UInt8(truncatingIfNeeded: state >> 20)
            }
            let issues = BuildIssueScan.issues(in: damaged)
            #expect(issues.allSatisfy { $0.message.utf8.count < 4096 && $0.line ?? 0 >= 0 })
        }
    }
}
