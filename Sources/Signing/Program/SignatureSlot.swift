/// The slot numbers of blobs in the index of the super blob.
package enum SignatureSlot {
    package static let codeDirectory: UInt32 = 0
    package static let requirements: UInt32 = 2
    package static let entitlements: UInt32 = 5
    package static let derEntitlements: UInt32 = 7
    package static let alternateCodeDirectory: UInt32 = 0x1000
    package static let message: UInt32 = 0x10000
}
