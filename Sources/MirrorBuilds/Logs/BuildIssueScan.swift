import Bytes
import Essentials
package import Releases

/// Finds the errors in the log of a build: those of compilers, linkers and Xcode, and failed tests
/// of XCTest and Swift Testing.
///
/// The log comes in pieces of any size. Only the current line and the issues are kept in memory, each issue
/// once.
package struct BuildIssueScan: Sendable {
    /// The number of bytes of a line that are read.
    private static let lineLimit = 4096

    /// Absolute paths of checkouts, which are left out of reported paths.
    private let folders: [[UInt8]]
    private var line: [UInt8] = []
    private var issues: [BuildIssue] = []
    /// Failed tests, and whether a line of the log explains each failure.
    private var tests: [FailedTest] = []
    private var section = Section.none
    private var symbols: [String] = []
    /// Reported only if there is nothing else: `** ARCHIVE FAILED **`, and the command that failed.
    private var outcome: String?
    private var command: String?

    private struct FailedTest {
        let name: TestName
        let shown: String
        var isExplained: Bool
    }

    private enum Section {
        case none
        /// After `Testing failed:`, whose lines are indented.
        case failedTests
        /// After `The following build commands failed:`.
        case failedCommands
        /// After `Undefined symbols for architecture …:`.
        case symbols
    }

    /// `folders` are the absolute paths of the checkout during the build.
    package init(below folders: [String] = []) {
        self.folders = folders.map { Array($0.utf8) + ($0.utf8.last == 0x2F ? [] : [0x2F]) }
    }

    /// Returns the issues in a whole log.
    ///
    /// - Returns: at most ``BuildIssue/mostOfBuild``, in the order of the log.
    package static func issues(
        in log: some Collection<UInt8>,
        below folders: [String] = [],
    ) -> [BuildIssue] {
        var scan = BuildIssueScan(below: folders)
        scan.read(ArraySlice(log))
        return scan.finish()
    }

    /// Reads the next piece of the log.
    package mutating func read(_ piece: ArraySlice<UInt8>) {
        for byte in piece {
            if byte == 0x0A || byte == 0x0D {
                endLine()
            } else if line.count < Self.lineLimit {
                line.append(byte)
            }
        }
    }

    /// Returns the issues at the end of the log.
    package mutating func finish() -> [BuildIssue] {
        endLine()
        for test in tests where !test.isExplained {
            add(BuildIssue(.test, message: "\(test.shown) failed"))
        }
        if issues.isEmpty, let outcome {
            add(BuildIssue(.build, message: outcome + (command.map { ": " + $0 } ?? "")))
        }
        return issues
    }

    private mutating func endLine() {
        guard !line.isEmpty else { return }
        let text = LogLine(line)
        line.removeAll(keepingCapacity: true)
        if text.isIndented, takeIndented(text) { return }
        if !text.isIndented { section = .none }
        // A step's title may be its script, which may quote anything.
        guard !text.begins("── ") else { return }
        take(text)
    }

    /// Reads a line that belongs to the heading above it.
    private mutating func takeIndented(_ line: LogLine) -> Bool {
        switch section {
        case .none: return false
        case .failedTests:
            guard let name = TestName(summary: line.trimmed) else { return false }
            fail(name, shown: line.shown(line.trimmed))
        case .failedCommands:
            if command == nil { command = line.shown(line.trimmed) }
        case .symbols:
            guard let name = line.undefinedSymbol else { return true }
            if symbols.count < 3, !symbols.contains(name) { symbols.append(name) }
        }
        return true
    }

    private mutating func take(_ line: LogLine) {
        if line.begins("Testing failed:") || line.begins("Failing tests:") {
            section = .failedTests
        } else if line.begins("The following build commands failed:") {
            section = .failedCommands
        } else if line.begins("Undefined symbols for architecture") {
            (section, symbols) = (.symbols, [])
        } else if let outcome = line.outcome {
            self.outcome = self.outcome ?? outcome
        } else if let test = line.failedCase {
            fail(test.name, shown: test.shown)
        } else if let (issue, test) = line.recordedIssue {
            explain(test, by: issue)
        } else if let (issue, test) = line.error(without: folders) {
            if let test { explain(test, by: issue) } else { takeError(issue) }
        } else if let issue = line.linkerError {
            let names = symbols.isEmpty ? "" : ": " + symbols.joined(separator: ", ")
            symbols = []
            add(BuildIssue(.link, message: issue + names))
        } else if let issue = line.signingError {
            add(BuildIssue(.signing, message: issue))
        }
    }

    /// The compiler driver only repeats that the linker failed.
    private mutating func takeError(_ issue: BuildIssue) {
        if issue.kind == .link, issues.contains(where: { $0.kind == .link }) { return }
        add(issue)
    }

    private mutating func fail(_ name: TestName, shown: String) {
        guard tests.count < 1000, !tests.contains(where: { $0.name == name }) else { return }
        tests.append(FailedTest(name: name, shown: shown, isExplained: false))
    }

    private mutating func explain(_ name: TestName, by issue: BuildIssue) {
        add(issue)
        if let place = tests.firstIndex(where: { $0.name == name }) {
            tests[place].isExplained = true
        } else if tests.count < 1000 {
            tests.append(FailedTest(name: name, shown: issue.message, isExplained: true))
        }
    }

    private mutating func add(_ issue: BuildIssue) {
        guard issues.count < BuildIssue.mostOfBuild, !issues.contains(issue) else { return }
        issues.append(issue)
    }
}
