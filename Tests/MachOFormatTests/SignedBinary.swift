import Cryptography
import Foundation
import MachOFormat
import PropertyLists
import Sample
import Signing

/// Files from `ota`'s own signer, for the tests of the reader.
enum SignedBinary {
    static let entitlements = PropertyList.dictionary([
        "application-identifier": .string("OTASAMPLE1.com.example.demo"),
        "com.apple.developer.team-identifier": .string("OTASAMPLE1"),
        "get-task-allow": .boolean(true),
        "keychain-access-groups": .array([.string("OTASAMPLE1.*"), .string("com.apple.token")]),
        "level": .integer(1000),
    ])

    static func bytes(
        _ builders: [MachOBuilder],
        entitlements: PropertyList? = SignedBinary.entitlements,
        _ adjust: (inout SigningOptions) -> Void = { _ in },
    ) throws -> [UInt8] {
        var options = SigningOptions()
        adjust(&options)
        let signer = CodeSigner(
            identity: try SigningAuthority.cached().distribution,
            options: options,
            at: Date(timeIntervalSince1970: 1_767_225_600),
        )
        let seals = CodeSeals(
            identifier: "com.example.demo",
            infoPlist: Array("info".utf8),
            codeResources: Array("seal".utf8),
            entitlements: entitlements,
        )
        return try signer.signed(builders, sealing: seals)
    }

    /// Returns a program with one slice, and its whole signature.
    static func signature(
        _ adjust: (inout SigningOptions) -> Void = { _ in }
    ) throws -> [UInt8] {
        let file = try MachOFile(reading: try bytes([MachOBuilder(named: "demo")], adjust))
        return file.slices.first?.signatureBytes ?? []
    }
}

extension Processor {
    init(_ architecture: Architecture) {
        self =
            switch architecture {
            case .arm64: .arm64
            case .arm64e: .arm64e
            case .arm64eX1: .arm64eX1
            case .armv7: .armv7
            case .armv7k: .armv7k
            case .arm64_32: .arm64_32
            case .x86_64: .x86_64
            }
    }
}

extension [UInt8] {
    /// Overwrites a big-endian number.
    mutating func put(_ value: UInt32, at offset: Int) {
        for index in 0..<4 {
            self[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index))
        }
    }

    /// Overwrites a little-endian number.
    mutating func putLittle(_ value: UInt32, at offset: Int) {
        put(value.byteSwapped, at: offset)
    }
}
