import Cryptography

/// One kind of hostile input, and what must hold whatever its bytes are.
protocol InputKind: Sendable {
    /// The name on the command line and of the folder of seeds.
    static var name: String { get }

    /// Small inputs to start from, by file name.
    static func seeds(by authority: SeedAuthority) throws -> [String: [UInt8]]

    /// - Parameters:
    ///   - root: the only authority, beside Apple's, whose word counts.
    ///   - seeds: what that authority has signed is among them, and nothing else is.
    init(trusting root: Certificate, seeds: [[UInt8]])

    /// Reads the input, and stops the program when what was read breaks a promise.
    func check(_ input: [UInt8])
}

/// A kind of input whose promises have nothing to do with who signed it.
protocol PlainInputKind: InputKind {
    init()
}

extension PlainInputKind {
    init(trusting root: Certificate, seeds: [[UInt8]]) {
        self.init()
    }
}

/// Stops the program, which libFuzzer reports with the input that led here.
func stop(_ message: String) -> Never { fatalError(message) }

/// A promise: stops the program when it is broken.
@inline(__always)
func promise(_ isKept: Bool, _ message: @autoclosure () -> String) {
    if !isKept { stop("promise broken: \(message())") }
}

/// What `read` gives; nil when it refuses with the error that it declares.
func accepted<Value, Refusal: Error>(
    _ read: () throws(Refusal) -> Value
) -> Value? {
    do throws(Refusal) { return try read() } catch { return nil }
}
