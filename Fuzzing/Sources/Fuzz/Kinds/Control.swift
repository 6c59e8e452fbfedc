/// `control`: three faults that a run must detect; otherwise, its other results are worthless.
///
/// An input that begins with `OTA!` breaks a promise, one with `OTA?` leaks memory, and one with `OTA~` reads
/// out of bounds.
struct Control: PlainInputKind {
    static let name = "control"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        ["harmless": Array("harmless".utf8)]
    }

    func check(_ input: [UInt8]) {
        promise(!input.starts(with: Array("OTA!".utf8)), "the control was found")
        if input.starts(with: Array("OTA?".utf8)) {
            let ring = Ring(input)
            ring.next = ring
        }
        if input.starts(with: Array("OTA~".utf8)) {
            let beyond = unsafe input.withUnsafeBufferPointer { bytes in
                unsafe bytes[bytes.count + 40]
            }
            if beyond == 1 { print("read") }
        }
    }

    private final class Ring {
        let bytes: [UInt8]
        var next: Ring?

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }
    }
}
