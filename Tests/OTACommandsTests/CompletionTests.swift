import TestSupport
import Testing

/// The completion scripts for shells.
struct CompletionTests {
    @Test func `bash completes what begins like a command or an option`() async throws {
        try await Workplace.run { place in
            let made = try await place.ota("completions", "bash")
            #expect(made.status == 0)
            #expect(made.errors.contains("bash-completion/completions/ota"))
            try place.write(made.output, to: "ota.bash")
            // A bare shell that completes `ota dev` and `ota serve --acm`.
            let script = """
                source ota.bash
                try() {
                  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
                  COMPREPLY=(); _ota "$1" "${@: -1}" "${@: -2:1}"; echo "${COMPREPLY[@]}"
                }
                try ota dev
                try ota serve --acm
                """
            let shown = try await Program(path: "/bin/bash").run(
                ["-c", script],
                in: place.folder,
            )
            let lines = shown.output.split(separator: "\n").map(String.init)
            #expect(lines.first == "devices")
            #expect(lines.last?.contains("--acme-directory") == true)
        }
    }

    @Test(arguments: ["zsh", "fish"])
    func `other shells get a script of their own, and a hint where it belongs`(
        shell: String
    ) async throws {
        try await Workplace.run { place in
            let made = try await place.ota("completions", shell)
            #expect(made.status == 0)
            #expect(made.output.contains("devices"))
            #expect(made.errors.contains("Install:"))
            guard shell == "fish" else { return }
            let json = try await place.json("completions", shell)
            #expect(json["shell"].string == shell)
            let script = try #require(json["script"].string)
            #expect(script.contains("devices") && made.output.hasPrefix(script))
        }
    }

    @Test func `an unknown shell is refused with those that are known`() async throws {
        try await Workplace.run { place in
            let refused = try await place.ota("completions", "tcsh")
            #expect(refused.status == 64)
            #expect(refused.errors.contains("give bash, zsh or fish"))
        }
    }
}
