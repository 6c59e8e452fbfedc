import Foundation
import Problems
import Synchronization

/// The two output streams, and their capabilities.
package struct Terminal: Sendable {
    package let style: Style
    /// The style of standard error.
    package let errorStyle: Style
    /// The number of columns for tables and bars.
    package let width: Int
    /// Whether standard error is a terminal, so that a bar may be redrawn in place.
    package let showsProgress: Bool
    private let output: @Sendable (String) throws -> Void
    private let errors: @Sendable (String) -> Void
    /// Reads a line that the user types; nil if input is not interactive.
    private let input: (@Sendable () -> String?)?

    package init(
        style: Style = .plain,
        errorStyle: Style = .plain,
        width: Int = 80,
        showsProgress: Bool = false,
        output: @escaping @Sendable (String) throws -> Void,
        errors: @escaping @Sendable (String) -> Void,
        input: (@Sendable () -> String?)? = nil,
    ) {
        self.input = input
        self.style = style
        self.errorStyle = errorStyle
        self.width = width
        self.showsProgress = showsProgress
        self.output = output
        self.errors = errors
    }

    package static func live(environment: [String: String]) -> Terminal {
        let isDumb = environment["TERM"] == "dumb"
        let wantsColour = environment["NO_COLOR", default: ""].isEmpty && !isDumb
        let isForced = environment["CLICOLOR_FORCE"] == "1"
        func style(of descriptor: Int32) -> Style {
            wantsColour && (isForced || isatty(descriptor) == 1) ? .coloured : .plain
        }
        let line: @Sendable () -> String? = { readLine() }
        let isInteractive = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
        return Terminal(
            style: style(of: STDOUT_FILENO),
            errorStyle: style(of: STDERR_FILENO),
            width: columns(environment: environment),
            showsProgress: isatty(STDERR_FILENO) == 1 && !isDumb,
            output: { try write($0, to: STDOUT_FILENO) },
            errors: { try? write($0, to: STDERR_FILENO) },
            input: isInteractive ? line : nil,
        )
    }

    /// Prints a result, which may be redirected to a file.
    ///
    /// - Throws: ``Problem`` if it cannot be written, such as to a full disk.
    func print(_ text: String) throws {
        try output(text + "\n")
    }

    /// Writes a part of a result as it is.
    ///
    /// - Throws: what ``print(_:)`` throws.
    func write(_ text: String) throws {
        if !text.isEmpty { try output(text) }
    }

    /// Prints a remark to standard error.
    func remark(_ text: String) {
        errors(text + "\n")
    }

    /// Asks a yes-or-no question.
    ///
    /// - Parameter question: the question, including the prompt that precedes the answer.
    /// - Returns: false for anything but `y` and `yes`; nil if input is not interactive.
    func confirms(_ question: String) -> Bool? {
        guard let input else { return nil }
        errors(question)
        let answer = input()?.trimmingCharacters(in: .whitespaces).lowercased()
        return answer == "y" || answer == "yes"
    }

    /// Writes to standard error without ending the line.
    func draw(_ text: String) {
        errors(text)
    }

    private static func columns(environment: [String: String]) -> Int {
        var size = winsize()
        if unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 {
            return Int(size.ws_col)
        }
        return environment["COLUMNS"].flatMap { Int($0) } ?? 80
    }

    /// Writes all bytes; it is not an error if the reader has closed the pipe (`ota … | head`).
    private static func write(_ text: String, to descriptor: Int32) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = unsafe bytes.withUnsafeBytes {
                unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                guard errno != EPIPE else { return }
                throw Problem(
                    id: "output.unwritable",
                    kind: .unavailable,
                    message: "the output cannot be written: \(LastSystemError.reason)",
                    fix: "free some space, or write to another disk",
                )
            }
            bytes = bytes.dropFirst(written)
        }
    }
}
