import Cryptography

/// A kind of hostile input, and the properties that must hold for any bytes.
protocol InputKind: Sendable {
    /// The name on the command line, and of the folder of seeds.
    static var name: String { get }

    /// Small inputs to start from, by file name.
    static func seeds(by authority: SeedAuthority) throws -> [String: [UInt8]]

    /// - Parameters:
    ///   - root: the only trusted authority other than Apple's.
    ///   - seeds: the seeds, which include everything that this authority has signed.
    init(trusting root: Certificate, seeds: [[UInt8]])

    /// Reads the input, and stops the program if the result breaks a promise.
    func check(_ input: [UInt8])
}

/// A kind of input whose promises do not depend on signers.
protocol PlainInputKind: InputKind {
    init()
}

extension PlainInputKind {
    init(trusting root: Certificate, seeds: [[UInt8]]) {
        self.init()
    }
}

/// Stops the program, which libFuzzer reports together with the input.
func stop(_ message: String) -> Never { fatalError(message) }

/// Stops the program if a promise is broken.
@inline(__always)
func promise(_ isKept: Bool, _ message: @autoclosure () -> String) {
    if !isKept { stop("promise broken: \(message())") }
}

/// Returns the result of `read`; nil if it throws its declared error.
func accepted<Value, Refusal: Error>(
    _ read: () throws(Refusal) -> Value
) -> Value? {
    do throws(Refusal) { return try read() } catch { return nil }
}
