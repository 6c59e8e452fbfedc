import Hummingbird
import HummingbirdTLS
import NIOSSL
