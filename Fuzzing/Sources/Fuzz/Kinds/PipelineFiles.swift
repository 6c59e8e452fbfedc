import Mirrors
import Versions

/// `pipeline`: what is accepted in a repository's `.ota/pipeline.yml` stays inside the checkout and within
/// the limits, and sets no variable of the server's.
struct PipelineFiles: PlainInputKind {
    static let name = "pipeline"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let cases = [
            """
            name: Pare
            requires: [ios, .ota/]
            env: {A: "1", B_2: ""}
            timeout: 90s
            steps:
              - name: Build
                run: |
                  make
                if: [tag, manual]
                working-directory: ios
                timeout: 2h
                env: {C: x}
            artifacts:
              - path: "out/**/*.ipa"
                ifMissing: error
                if: always
              - b/?.ipa
            publish: {tag: auto, branch: none, manual: beta, otherVersion: allow}
            """,
            "steps: [{run: a}]\npublish: false", "a: &a [1]\nsteps: *a\nb: [*a, *a]",
            "steps: [&x {run: \"\\0\"}, *x]\nrequires: ../..\n", "{steps: [{run: a, if: []}]}",
        ]
        return Dictionary(
            uniqueKeysWithValues: cases.enumerated().map { ("\($0)", Array($1.utf8)) }
        )
    }

    func check(_ input: [UInt8]) {
        guard let text = String(validating: input, as: UTF8.self) else { return }
        let pipeline = accepted { () throws(PipelineFlaw) in try Pipeline(yaml: text) }
        if let pipeline { check(pipeline) }
        let parts = input.split(separator: 10, maxSplits: 1).map { Array($0.prefix(80)) }
        if parts.count == 2 { checkPattern(parts[0], parts[1]) }
    }

    private func check(_ pipeline: Pipeline) {
        promise((1...100).contains(pipeline.steps.count), "\(pipeline.steps.count) steps")
        promise(pipeline.artifacts.count <= 100 && pipeline.requires.count <= 20, "without bound")
        checkTime(pipeline.timeout)
        checkName(pipeline.name ?? "")
        checkVariables(pipeline.environment)
        for path in pipeline.requires + pipeline.artifacts.map(\.path) { checkPath(path) }
        for step in pipeline.steps {
            promise(!step.run.isEmpty && !step.run.utf8.contains(0), "a step that cannot be run")
            promise((1...3).contains(step.conditions.count), "a step without a condition")
            checkName(step.name)
            checkTime(step.timeout)
            checkVariables(step.environment)
            if let folder = step.workingDirectory { checkPath(folder) }
        }
    }

    private func checkTime(_ seconds: Int?) {
        promise((1...24 * 3600).contains(seconds ?? 1), "\(seconds ?? 0) seconds")
    }

    private func checkName(_ name: String) {
        promise(name.utf8.count <= 1000, "a name without bound")
        promise(!name.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a name of several lines")
    }

    private func checkVariables(_ variables: [String: String]) {
        promise(variables.count <= 100, "variables without bound")
        for (name, value) in variables {
            let isName = name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            promise(isName && !name.isEmpty, "\(name.debugDescription) is no variable")
            promise(!name.utf8.starts(with: "OTA_".utf8), "\(name) is the server's own")
            promise(!value.utf8.contains(0) && value.utf8.count <= 16 << 10, "\(name) is no value")
        }
    }

    /// Checks a path as the system reads it: bytes, folder by folder.
    private func checkPath(_ path: String) {
        let parts = Array(path.utf8).split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false,
        )
        promise(
            !path.isEmpty && path.utf8.first != UInt8(ascii: "/") && !path.utf8.contains(0)
                && !parts.contains { $0.isEmpty || $0.elementsEqual("..".utf8) },
            "\(path.debugDescription) leads out of the checkout",
        )
    }

    /// A pattern matches exactly what a simple implementation of wildcards matches.
    private func checkPattern(_ pattern: [UInt8], _ name: [UInt8]) {
        guard let text = String(validating: pattern, as: UTF8.self),
            let parsed = ReferencePattern(text),
            let other = String(validating: name, as: UTF8.self)
        else { return }
        var reached = [true] + [Bool](repeating: false, count: name.count)
        for byte in pattern {
            if byte == UInt8(ascii: "*") {
                for place in 1..<reached.count where reached[place - 1] { reached[place] = true }
            } else {
                for place in stride(from: name.count, to: 0, by: -1) {
                    reached[place] = reached[place - 1] && name[place - 1] == byte
                }
                reached[0] = false
            }
        }
        promise(
            parsed.matches(other) == reached[name.count],
            "\(text) and \(other.debugDescription) do not match as they should",
        )
    }
}
