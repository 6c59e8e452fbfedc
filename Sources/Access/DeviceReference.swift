import Bytes
import Bundles
import Cryptography
package import Identifiers

extension SessionAuthority {
    /// Names a device in cookies and addresses without giving its identifier away: 24 hexadecimal
    /// digits that only the holder of the store's key can make.
    package func reference(to device: DeviceUDID) -> String {
        let code = authenticationCode(of: Array("ota device\0\(device)".utf8), key: key)
        return Hex.encode(code.prefix(12))
    }
}
